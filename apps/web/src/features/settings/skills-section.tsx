import type { Configuration, Skill } from "@roster/client";
import { BookOpen, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAsk, useCommand, usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { EmptyState, Rows, Section } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { ImportSkills } from "./import-skills.tsx";
import { SkillDialog } from "./skill-dialog.tsx";
import { UsedBy } from "./used-by.tsx";
import { usesOfSkill } from "./uses.ts";

/** The skills of the company: where they come from, in which version they are, and who has them. */
export function SkillsSection(): ReactNode {
  const { id } = useCompany();
  const params = { companyId: id };
  const { items, query } = usePages("skills.list", { params, query: {} });
  const { data } = useAsk("configurations.list", { params, query: { limit: 200 } });
  const mayImport = useMay("skills.import");
  const [isOpen, setOpen] = useState(false);
  const add = (
    <Button icon={<Plus size={14} aria-hidden="true" />} onClick={() => setOpen(true)}>
      Import skills
    </Button>
  );
  return (
    <Section title="Skills" aside={mayImport && add}>
      <p className="max-w-prose text-ink-soft text-sm">
        A skill is a folder of instructions. Every version is kept by what it holds; an agent has the version that it
        was given, until it is given the present one.
      </p>
      {items.length > 0 && (
        <Rows label="Skills">
          {items.map((skill) => (
            <SkillRow key={skill.id} skill={skill} configurations={data?.items ?? []} />
          ))}
        </Rows>
      )}
      {query.isSuccess && items.length === 0 && (
        <EmptyState icon={<BookOpen />} title="There are no skills">
          They come from a repository, an address, a folder of the service's machine, or are written here.
        </EmptyState>
      )}
      <MoreButton query={query} />
      {isOpen && <ImportSkills onClose={() => setOpen(false)} />}
    </Section>
  );
}

interface SkillRowParts {
  readonly skill: Skill;
  readonly configurations: readonly Configuration[];
}

function SkillRow({ skill, configurations }: SkillRowParts): ReactNode {
  const { id: companyId } = useCompany();
  const mayImport = useMay("skills.import");
  const [isOpen, setOpen] = useState(false);
  const { locator } = skill.source;
  const again = useCommand("skills.import", ({ imported }) => {
    const found = imported.find(({ key }) => key === skill.key);
    toast(found?.contentHash === skill.contentHash ? `${skill.key} is as it was` : `${skill.key} has a new version`);
  });
  const uses = usesOfSkill(configurations, skill);
  const older = uses.filter(({ isCurrent }) => !isCurrent).length;
  return (
    <li className="flex flex-col gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-0.5">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{skill.name}</span>
            <code className="break-all font-mono text-ink-faint text-xs">{skill.key}</code>
            {older > 0 && <Badge tone="warn">{older} with an older version</Badge>}
          </span>
          <span className="text-ink-soft text-sm">{skill.description}</span>
          <span className="break-words text-ink-faint text-xs">
            version <code className="font-mono">{skill.contentHash.slice(0, 12)}</code>,{" "}
            {locator === null ? "written here" : `from ${locator}`} · <UsedBy uses={uses} />
          </span>
        </div>
        <div className="flex gap-2">
          {mayImport && locator !== null && (
            <Button
              busy={again.isPending}
              aria-label={`Import again: ${skill.key}`}
              onClick={() => again.mutate({ params: { companyId }, body: { source: locator } })}
            >
              Import again
            </Button>
          )}
          <Button aria-label={`Versions of ${skill.key}`} onClick={() => setOpen(true)}>
            Versions
          </Button>
        </div>
      </div>
      <Refusal error={again.error} />
      {isOpen && <SkillDialog skill={skill} uses={uses} onClose={() => setOpen(false)} />}
    </li>
  );
}
