import type { Agent } from "@roster/client";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Differences } from "../../design/difference.tsx";
import { TextArea, TextField } from "../../design/field.tsx";
import { Markdown } from "../../design/markdown.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { Card, EmptyState } from "../../design/surface.tsx";
import { draftDifferences, draftOf } from "./agent-draft.ts";
import { useIsEditable } from "./configuration.tsx";
import { InstructionFiles } from "./configuration-parts.tsx";
import { FileTabs } from "./file-tabs.tsx";
import type { AgentDraft } from "./use-agent-draft.ts";

interface Parts {
  readonly agent: Agent;
  readonly drafting: AgentDraft;
  readonly error: unknown;
}

type Bundle = NonNullable<Agent["instructionsBundle"]>;

const usualEntry = "AGENTS.md";

/** The files that tell the agent what it is here for: to be written, read as they will be read, and compared. */
export function Instructions({ agent, drafting, error }: Parts): ReactNode {
  const isEditable = useIsEditable(agent);
  const { draft, change } = drafting;
  const bundle = draft.instructionsBundle;
  if (!isEditable) {
    return bundle === null ? <p className="text-ink-soft">It has none.</p> : <InstructionFiles bundle={bundle} />;
  }
  if (bundle === null) {
    const begin = (): void => change({ instructionsBundle: { entryFile: usualEntry, files: { [usualEntry]: "" } } });
    return (
      <EmptyState icon={null} title="It has no instructions">
        <p className="mb-3">It knows its name, its title and the company's goal, and why it was woken.</p>
        <Button look="primary" onClick={begin}>
          Write instructions
        </Button>
      </EmptyState>
    );
  }
  return <Editor drafting={drafting} bundle={bundle} error={error} />;
}

interface EditorParts {
  readonly drafting: AgentDraft;
  readonly bundle: Bundle;
  readonly error: unknown;
}

const views = ["Write", "Read", "Compare"] as const;

function Editor({ drafting, bundle, error }: EditorParts): ReactNode {
  const { entryFile, files } = bundle;
  const [chosen, setChosen] = useState(entryFile);
  const [view, setView] = useState<(typeof views)[number]>("Write");
  const name = Object.hasOwn(files, chosen) ? chosen : entryFile;
  const set = (next: Bundle | null): void => drafting.change({ instructionsBundle: next });
  const write = (text: string): void => set({ entryFile, files: { ...files, [name]: text } });
  const remove = (): void => {
    const { [name]: _, ...others } = files;
    set(Object.keys(others).length === 0 ? null : { entryFile, files: others });
  };
  const add = (file: string): void => {
    set({ entryFile, files: { ...files, [file]: "" } });
    setChosen(file);
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FileTabs names={Object.keys(files)} chosen={name} first={entryFile} onChoose={setChosen} />
        <div className="flex gap-1 rounded-md bg-sunken p-0.5">
          {views.map((known) => (
            <Button
              key={known}
              look={known === view ? "plain" : "quiet"}
              aria-pressed={known === view}
              onClick={() => setView(known)}
            >
              {known}
            </Button>
          ))}
        </div>
      </div>
      {view === "Write" && (
        <TextArea
          bare
          label={`Text of ${name}`}
          className="max-h-none min-h-96 font-mono text-sm leading-6"
          value={files[name] ?? ""}
          wrong={wrongAt(error, `instructionsBundle.files.${name}`)}
          onChange={({ target }) => write(target.value)}
        />
      )}
      {view === "Read" && (
        <Card className="min-h-40 px-5 py-4">
          <Markdown text={files[name] ?? ""} />
        </Card>
      )}
      {view === "Compare" && <Compared drafting={drafting} />}
      <Refusal error={error} />
      <FileActions
        bundle={bundle}
        name={name}
        onAdd={add}
        onRemove={remove}
        onFirst={() => set({ entryFile: name, files })}
      />
    </>
  );
}

function Compared({ drafting: { base, draft } }: Pick<EditorParts, "drafting">): ReactNode {
  const before = draftOf(base);
  const { values, texts } = draftDifferences(before, { ...before, instructionsBundle: draft.instructionsBundle });
  return <Differences differences={values} texts={texts} />;
}

interface ActionParts {
  readonly bundle: Bundle;
  readonly name: string;
  readonly onAdd: (name: string) => void;
  readonly onRemove: () => void;
  readonly onFirst: () => void;
}

function FileActions({ bundle: { entryFile, files }, name, onAdd, onRemove, onFirst }: ActionParts): ReactNode {
  const [fresh, setFresh] = useState("");
  const isTaken = Object.hasOwn(files, fresh);
  const isFirst = name === entryFile;
  const isOnly = Object.keys(files).length === 1;
  const add = (): void => {
    if (fresh === "" || isTaken) return;
    onAdd(fresh);
    setFresh("");
  };
  return (
    <div className="flex flex-wrap items-start gap-2">
      <div className="w-48">
        <TextField
          bare
          label="Name of a new file"
          placeholder="notes.md"
          value={fresh}
          wrong={isTaken ? "It is there already" : undefined}
          onChange={({ target }) => setFresh(target.value)}
          onKeyDown={(event) => event.key === "Enter" && add()}
        />
      </div>
      <Button
        className="h-9 md:h-9"
        disabled={fresh === "" || isTaken}
        icon={<Plus size={15} aria-hidden="true" />}
        onClick={add}
      >
        Add a file
      </Button>
      <span className="flex-1" />
      {isFirst ? (
        <span className="self-center">
          <Badge tone="accent">Read first</Badge>
        </span>
      ) : (
        <Button className="h-9 md:h-9" onClick={onFirst}>
          Have it read first
        </Button>
      )}
      {(!isFirst || isOnly) && (
        <Button look="danger" className="h-9 md:h-9" onClick={onRemove}>
          {isOnly ? "Remove all instructions" : `Remove ${name}`}
        </Button>
      )}
    </div>
  );
}
