import type { ReactNode } from "react";
import { wordsOf } from "../../design/words.ts";
import type { Merge, Written, WrittenField } from "./merge.ts";

/** Whose text is kept of what both changed; mine where nothing was chosen. */
export type Choices = Partial<Record<WrittenField, "mine" | "theirs">>;

interface ConflictParts {
  readonly conflict: Merge;
  readonly mine: Written;
  readonly theirs: Written;
  readonly choices: Choices;
  readonly onChoose: (choice: Choices) => void;
}

/** What somebody else wrote meanwhile next to what was written here, and the choice between them. */
export function EditConflict({ conflict, mine, theirs, choices, onChoose }: ConflictParts): ReactNode {
  return (
    <div role="alert" className="flex flex-col gap-4 rounded-md border border-line bg-warn-soft p-3.5 text-sm">
      <p className="font-medium text-warn">
        Somebody changed it meanwhile. Choose what to keep; nothing is lost before you save.
      </p>
      {conflict.conflicts.map((field) => (
        <fieldset key={field} className="flex min-w-0 flex-col gap-2">
          <legend className="mb-1.5 font-medium">{wordsOf(field)}</legend>
          <div className="grid gap-2 md:grid-cols-2">
            <Side
              field={field}
              words="Keep mine"
              text={mine[field]}
              isChosen={choices[field] !== "theirs"}
              onChoose={() => onChoose({ [field]: "mine" })}
            />
            <Side
              field={field}
              words="Take theirs"
              text={theirs[field]}
              isChosen={choices[field] === "theirs"}
              onChoose={() => onChoose({ [field]: "theirs" })}
            />
          </div>
        </fieldset>
      ))}
      {conflict.theirs.map((field) => (
        <p key={field}>
          The {field} was changed too, to “{theirs[field].slice(0, 200)}”. You had not touched it: it stays theirs.
        </p>
      ))}
    </div>
  );
}

interface SideParts {
  readonly field: WrittenField;
  readonly words: string;
  readonly text: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Side({ field, words, text, isChosen, onChoose }: SideParts): ReactNode {
  return (
    <label className="flex min-w-0 cursor-pointer flex-col gap-1.5 rounded-md border border-line bg-surface p-2.5 has-checked:border-accent">
      <span className="flex items-center gap-2 font-medium">
        <input
          type="radio"
          name={`keep ${field}`}
          checked={isChosen}
          onChange={onChoose}
          className="accent-(--color-accent)"
        />
        {words}
      </span>
      <span className="max-h-48 overflow-auto whitespace-pre-wrap break-words text-ink-soft">
        {text === "" ? "Nothing" : text}
      </span>
    </label>
  );
}
