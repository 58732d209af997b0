import type { ReactNode } from "react";
import { Money } from "../../design/measures.tsx";

/** Something that money was spent on. */
export interface AmountRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly costCents: number;
}

const head = "px-4 py-2 text-right font-medium";
const cell = "px-4 py-2 text-right tabular-nums";
const wide = "max-sm:hidden";

/** What was spent on each, as numbers and as a bar of the dearest one's length. */
export function AmountsTable({ of, rows }: { readonly of: string; readonly rows: readonly AmountRow[] }): ReactNode {
  const most = Math.max(1, ...rows.map(({ costCents }) => costCents));
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-sm">
        <thead className="text-ink-faint text-xs">
          <tr className="border-line border-b">
            <th scope="col" className="px-4 py-2 text-left font-medium">
              {of}
            </th>
            <th scope="col" className={`${head} ${wide}`}>
              Tokens in
            </th>
            <th scope="col" className={`${head} max-lg:hidden`}>
              From a cache
            </th>
            <th scope="col" className={`${head} ${wide}`}>
              Tokens out
            </th>
            <th scope="col" className={head}>
              Cost
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, name, inputTokens, cachedInputTokens, outputTokens, costCents }) => (
            <tr key={key}>
              <th scope="row" className="w-1/2 px-4 py-2 text-left font-medium">
                <span className="block break-words">{name}</span>
                <span aria-hidden="true" className="mt-1 block h-1.5 rounded-full bg-sunken">
                  <span
                    className="block h-full rounded-full bg-accent"
                    style={{ width: `${Math.max(1, (100 * costCents) / most)}%` }}
                  />
                </span>
              </th>
              <td className={`${cell} ${wide}`}>{inputTokens.toLocaleString("en")}</td>
              <td className={`${cell} max-lg:hidden`}>{cachedInputTokens.toLocaleString("en")}</td>
              <td className={`${cell} ${wide}`}>{outputTokens.toLocaleString("en")}</td>
              <td className={cell}>
                <Money cents={costCents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
