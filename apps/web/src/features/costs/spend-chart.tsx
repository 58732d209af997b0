import type { CostSummary } from "@roster/client";
import type { ReactNode } from "react";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

const ink = "var(--color-ink-faint)";
const box = { background: "var(--color-raised)", border: "1px solid var(--color-line)", borderRadius: 8 };

/** Spend by day; the same numbers are in the tables below it. */
export function SpendChart({ summary }: { readonly summary: CostSummary }): ReactNode {
  const data = everyDay(summary);
  return (
    <figure aria-label="Spend by day" className="h-56 overflow-hidden rounded-lg border border-line bg-surface p-4">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={data} accessibilityLayer={false} margin={{ top: 4, right: 4, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke="var(--color-line)" />
          <XAxis dataKey="day" stroke={ink} fontSize={12} tickLine={false} axisLine={false} />
          <YAxis
            stroke={ink}
            fontSize={12}
            tickLine={false}
            axisLine={false}
            width={48}
            tickFormatter={(n) => `$${n}`}
          />
          <Tooltip
            contentStyle={box}
            cursor={{ fill: "var(--color-hover)" }}
            formatter={(n) => [`$${Number(n).toFixed(2)}`, "Spent"]}
          />
          <Bar
            dataKey="dollars"
            fill="var(--color-accent)"
            radius={[3, 3, 0, 0]}
            maxBarSize={40}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </figure>
  );
}

/** Also the days on which nothing was booked. Pure. */
function everyDay({ from, to, days }: CostSummary): readonly { readonly day: string; readonly dollars: number }[] {
  const spent = new Map(days.map(({ day, costCents }) => [day, costCents]));
  const all: { day: string; dollars: number }[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    all.push({ day: String(Number(day.slice(8))), dollars: (spent.get(day) ?? 0) / 100 });
  }
  return all;
}
