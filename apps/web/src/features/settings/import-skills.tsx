import type { ImportedSkills } from "@roster/client";
import { skillEntryFile } from "@roster/contract";
import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Select, TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";

const written = "---\nname: review\ndescription: Reads a change before it is merged.\n---\nRead it twice.\n";

/** Takes skills from where they are, or as they are written here. */
export function ImportSkills({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { id } = useCompany();
  const [from, setFrom] = useState<"source" | "text">("source");
  const [source, setSource] = useState("");
  const [text, setText] = useState(written);
  const take = useCommand("skills.import");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = from === "source" ? { source } : { files: { [skillEntryFile]: text } };
    take.mutate({ params: { companyId: id }, body });
  };
  if (take.data !== undefined) return <Taken taken={take.data} onClose={onClose} />;
  return (
    <Dialog title="Import skills" onClose={onClose} wide>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Select
          label="They are"
          value={from}
          onChange={({ target }) => setFrom(target.value === "text" ? "text" : "source")}
        >
          <option value="source">In a repository, at an address or in a folder</option>
          <option value="text">Written here</option>
        </Select>
        {from === "source" ? (
          <TextField
            label="Where"
            required
            value={source}
            hint="owner/repo/path@ref of GitHub, https://….git#path@ref, https://…/SKILL.md, or a folder of the service's machine"
            wrong={wrongAt(take.error, "source")}
            onChange={({ target }) => setSource(target.value)}
          />
        ) : (
          <TextArea
            label={skillEntryFile}
            required
            spellCheck={false}
            className="min-h-64 font-mono text-sm"
            value={text}
            wrong={wrongAt(take.error, `files.${skillEntryFile}`)}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <Refusal error={take.error} saidAt={["source", `files.${skillEntryFile}`]} />
        <Button type="submit" look="primary" className="self-end" busy={take.isPending}>
          Import
        </Button>
      </form>
    </Dialog>
  );
}

function Taken({ taken, onClose }: { readonly taken: ImportedSkills; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={taken.imported.length === 1 ? "1 skill" : `${taken.imported.length} skills`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <ul className="list-disc pl-5">
          {taken.imported.map(({ id, key, contentHash }) => (
            <li key={id} className="break-words">
              {key} <code className="font-mono text-ink-faint text-xs">{contentHash.slice(0, 12)}</code>
            </li>
          ))}
        </ul>
        {taken.warnings.length > 0 && (
          <ul aria-label="Warnings" className="list-disc pl-5 text-sm text-warn">
            {taken.warnings.map((warning) => (
              <li key={warning} className="break-words">
                {warning}
              </li>
            ))}
          </ul>
        )}
        <Button look="primary" className="self-end" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
