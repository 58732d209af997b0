import type { Skill } from "@roster/client";
import { type ReactNode, useState } from "react";
import { useAsk, useCommand, usePages } from "../../api/queries.ts";
import { useMay } from "../../app/may.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Select } from "../../design/field.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Rows, Section, Waiting } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import type { SkillUse } from "./uses.ts";

interface SkillParts {
  readonly skill: Skill;
  readonly uses: readonly SkillUse[];
  readonly onClose: () => void;
}

/** What a skill holds and held, and which agents have it. */
export function SkillDialog({ skill, uses, onClose }: SkillParts): ReactNode {
  const [hash, setHash] = useState(skill.contentHash);
  const params = { skillId: skill.id };
  const { items, query } = usePages("skills.listVersions", { params, query: {} });
  const shown = items.find(({ contentHash }) => contentHash === hash);
  return (
    <Dialog title={skill.name} onClose={onClose} wide>
      <div className="flex flex-col gap-6">
        {uses.length > 0 && <SkillAgents uses={uses} />}
        <Section title="Versions">
          <Rows label="Versions, newest first">
            {items.map(({ id, contentHash, files, createdAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-3 px-4 py-2 text-sm">
                <button
                  type="button"
                  aria-pressed={contentHash === hash}
                  onClick={() => setHash(contentHash)}
                  className="min-w-0 rounded-sm font-mono text-accent text-xs underline underline-offset-2 aria-pressed:text-ink aria-pressed:no-underline"
                >
                  {contentHash.slice(0, 12)}
                </button>
                <span className="text-ink-faint text-xs">
                  {files.length === 1 ? "1 file" : `${files.length} files`}, <Moment at={createdAt} />
                </span>
                {contentHash === skill.contentHash && <Badge tone="good">Present</Badge>}
              </li>
            ))}
          </Rows>
          <MoreButton query={query} />
        </Section>
        <SkillFiles key={hash} skillId={skill.id} contentHash={hash} files={shown?.files ?? skill.files} />
      </div>
    </Dialog>
  );
}

function SkillAgents({ uses }: { readonly uses: readonly SkillUse[] }): ReactNode {
  return (
    <Section title="Agents that have it">
      <Rows label="Agents that have it">
        {uses.map((use) => (
          <SkillAgent key={use.agentId} use={use} />
        ))}
      </Rows>
    </Section>
  );
}

function SkillAgent({ use: { agentId, name, isCurrent } }: { readonly use: SkillUse }): ReactNode {
  const maySync = useMay("configurations.syncSkills");
  const sync = useCommand("configurations.syncSkills", () => toast(`${name} has the present versions of its skills`));
  return (
    <li className="flex flex-col gap-2 px-4 py-2">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <span className="min-w-0 truncate font-medium">{name}</span>
        {isCurrent && <Badge tone="good">Present version</Badge>}
        {!isCurrent && !maySync && <Badge tone="warn">Older version</Badge>}
        {!isCurrent && maySync && (
          <Button busy={sync.isPending} onClick={() => sync.mutate({ params: { agentId }, body: {} })}>
            Bring to the present versions
          </Button>
        )}
      </div>
      <Refusal error={sync.error} />
    </li>
  );
}

interface FilesParts {
  readonly skillId: string;
  readonly contentHash: string;
  readonly files: Skill["files"];
}

function SkillFiles({ skillId, contentHash, files }: FilesParts): ReactNode {
  const [path, setPath] = useState(files[0]?.path ?? "SKILL.md");
  const { data, error } = useAsk("skills.getFile", { params: { skillId }, query: { path, contentHash } });
  return (
    <Section title="What it holds">
      {files.length > 1 && (
        <Select label="File" value={path} onChange={({ target }) => setPath(target.value)}>
          {files.map((file) => (
            <option key={file.path} value={file.path}>
              {file.path} ({file.kind}, {file.bytes.toLocaleString("en")} bytes)
            </option>
          ))}
        </Select>
      )}
      <Refusal error={error} />
      {data === undefined && error === null && <Waiting />}
      {data !== undefined && (
        <pre className="whitespace-pre-wrap break-words rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-5">
          {data.encoding === "utf8" ? data.content : "It is no text, so it is not shown."}
        </pre>
      )}
    </Section>
  );
}
