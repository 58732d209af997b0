import { type ReactNode, useState } from "react";
import { Button } from "../../design/button.tsx";
import { ChoiceCard } from "../../design/choice-card.tsx";
import { Differences } from "../../design/difference.tsx";
import { type Conflict, conflictsBetween, type Draft, rebased } from "./agent-draft.ts";

interface Parts {
  readonly before: Draft;
  readonly theirs: Draft;
  readonly mine: Draft;
  readonly onMerge: (merged: Draft) => void;
}

/** What others changed since one began, next to what one typed; where both changed the same, one chooses. */
export function ChangedMeanwhile({ before, theirs, mine, onMerge }: Parts): ReactNode {
  const { meanwhile, conflicts } = conflictsBetween(before, theirs, mine);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const choose = (key: string, isTheirs: boolean): void => {
    setKept(new Set(isTheirs ? [...kept, key] : [...kept].filter((other) => other !== key)));
  };
  return (
    <div className="flex flex-col gap-5">
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">What was changed</h3>
        <Differences differences={meanwhile} texts={[]} />
      </section>
      {conflicts.length > 0 && (
        <section className="flex flex-col gap-3">
          <h3 className="font-medium">You typed something else there</h3>
          {conflicts.map((conflict) => (
            <ConflictChoice
              key={conflict.key}
              conflict={conflict}
              isTheirs={kept.has(conflict.key)}
              onChoose={choose}
            />
          ))}
        </section>
      )}
      <p className="text-ink-soft text-sm">Everything else that you typed stays, on top of what is there now.</p>
      <Button look="primary" className="self-end" onClick={() => onMerge(rebased({ before, theirs, mine }, kept))}>
        Go on with this
      </Button>
    </div>
  );
}

interface ChoiceParts {
  readonly conflict: Conflict;
  readonly isTheirs: boolean;
  readonly onChoose: (key: string, isTheirs: boolean) => void;
}

function ConflictChoice({ conflict: { key, name, theirs, mine }, isTheirs, onChoose }: ChoiceParts): ReactNode {
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="mb-1 font-mono text-ink-soft text-xs">{name}</legend>
      <ChoiceCard
        group={key}
        value="mine"
        checked={!isTheirs}
        onChoose={() => onChoose(key, false)}
        title="What you typed"
      >
        <Shown value={mine} />
      </ChoiceCard>
      <ChoiceCard
        group={key}
        value="theirs"
        checked={isTheirs}
        onChoose={() => onChoose(key, true)}
        title="What is there now"
      >
        <Shown value={theirs} />
      </ChoiceCard>
    </fieldset>
  );
}

function Shown({ value }: { readonly value: Conflict["mine"] }): ReactNode {
  if (value === null) return "Nothing";
  return (
    <span className="block max-h-48 overflow-auto whitespace-pre-wrap break-words font-mono">
      {typeof value === "string" ? value : JSON.stringify(value)}
    </span>
  );
}
