import type { Agent } from "@roster/client";
import type { ReactNode } from "react";
import { Markdown } from "../../design/markdown.tsx";
import { Card } from "../../design/surface.tsx";

/** Instruction files as people read them, the one that is read first at the top. */
export function InstructionFiles({
  bundle: { entryFile, files },
}: {
  readonly bundle: NonNullable<Agent["instructionsBundle"]>;
}): ReactNode {
  const names = [entryFile, ...Object.keys(files).filter((name) => name !== entryFile)];
  return names.map((name) => (
    <Card key={name}>
      <p className="border-line border-b px-4 py-2 font-mono text-ink-soft text-xs">{name}</p>
      <div className="px-4 py-3">
        <Markdown text={files[name] ?? ""} />
      </div>
    </Card>
  ));
}

/** Settings of an adapter, each with its value. */
export function SettingsList({ settings }: { readonly settings: Agent["adapterConfig"] }): ReactNode {
  const entries = Object.entries(settings);
  if (entries.length === 0) return <p className="text-ink-soft text-sm">As the adapter has them.</p>;
  return (
    <dl className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {entries.map(([name, value]) => (
        <div key={name} className="grid gap-x-4 gap-y-0.5 px-4 py-2 text-sm md:grid-cols-[14rem_minmax(0,1fr)]">
          <dt className="text-ink-faint">{name}</dt>
          <dd className="whitespace-pre-wrap break-words font-mono text-xs leading-5">
            {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
