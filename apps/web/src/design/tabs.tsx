import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** One of several views of the same thing. */
export interface Tab {
  readonly key: string;
  readonly label: string;
  readonly content: ReactNode;
}

/** Views of the same thing, one at a time; arrow keys go from one to the next. The choice belongs into the address. */
export function Tabs({
  label,
  tabs,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}): ReactNode {
  return (
    <Radix.Root value={chosen} onValueChange={onChoose} className="flex min-w-0 flex-col gap-5">
      <Radix.List aria-label={label} className="flex gap-5 overflow-x-auto border-line border-b">
        {tabs.map(({ key, label: name }) => (
          <Radix.Trigger
            key={key}
            value={key}
            className="-mb-px whitespace-nowrap border-transparent border-b-2 px-0.5 pt-1 pb-2 text-ink-soft text-sm hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ key, content }) => (
        <Radix.Content key={key} value={key} className="flex min-w-0 flex-col gap-6">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
