import type { ReactNode } from "react";
import { classes } from "../../design/classes.ts";

interface Parts {
  readonly names: readonly string[];
  readonly chosen: string;
  /** The one that is read first stands first. */
  readonly first: string;
  readonly onChoose: (name: string) => void;
}

/** The files of a bundle, one of them chosen. */
export function FileTabs({ names, chosen, first, onChoose }: Parts): ReactNode {
  const ordered = [first, ...names.filter((name) => name !== first)];
  return (
    <ul aria-label="Files" className="flex min-w-0 flex-wrap gap-1">
      {ordered.map((name) => (
        <li key={name}>
          <button
            type="button"
            aria-pressed={name === chosen}
            onClick={() => onChoose(name)}
            className={classes(
              "h-8 max-w-60 truncate rounded-md border px-2.5 font-mono text-xs",
              name === chosen ? "border-accent bg-accent-soft text-accent-strong" : "border-line hover:bg-hover",
            )}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}
