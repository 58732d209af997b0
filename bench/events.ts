import { setTimeout as pause } from "node:timers/promises";
import { startChild } from "./child.ts";
import { type Delay, delay } from "./delay.ts";
import type { Expense } from "./expense.ts";
import type { Hearing, Listening } from "./listeners.ts";
import type { Measurement } from "./measurement.ts";
import type { Stage } from "./stage.ts";
import { judged } from "./verdict.ts";

/** How long it takes until everybody who follows a company has heard of what happens there. */
interface EventFigures {
  /** From the entry's row, just before its commit, to its arrival at each listener. */
  readonly heard: Delay;
  /** SQL statements of one comment, with all that the listeners cost meanwhile. */
  readonly statements: number;
  /** What one comment and telling it to all costs the server's processor. */
  readonly cpuMicros: number;
  readonly memoryBytes: number;
}

const listeners = 500;
const comments = 200;
const everyMs = 50;

/** Many who follow one company, while somebody comments there again and again. */
export const events: Measurement = {
  name: "events",
  async measure(stage) {
    const child = startChild("listeners");
    try {
      const figures = await measureWith(stage, (question) => child.ask(question));
      const { heard, statements, cpuMicros, memoryBytes } = figures;
      const verdicts = [
        judged(`events: heard by ${listeners}, p50`, heard.p50Ms, "ms", null),
        judged(`events: heard by ${listeners}, p99`, heard.p99Ms, "ms", null),
        judged("events: statements of a comment that all hear of", statements, "", null),
        judged("events: processor time of it", cpuMicros / 1000, "ms", null),
        judged("events: server", memoryBytes / 1_000_000, "MB", null),
      ];
      return { figures, verdicts };
    } finally {
      await child.stop();
    }
  },
};

type Ask = <T>(question: Readonly<Record<string, unknown>>) => Promise<T>;

async function measureWith(stage: Stage, ask: Ask): Promise<EventFigures> {
  const { board, server } = stage;
  const { id: companyId } = await board.companies.create({ body: { name: "Heard by many" } });
  const issue = await board.issues.create({ params: { companyId }, body: { title: "What all hear of" } });
  const comment = (n: number) =>
    board.issues.addComment({ params: { issueId: issue.id }, body: { body: `Comment ${n}` } });
  for (let n = 0; n < 20; n += 1) await comment(n);
  await stage.settle();
  await ask<void>({ url: server.url, companyId, count: listeners } satisfies Listening);
  const before = await server.child.ask<Expense>({});
  for (let n = 0; n < comments; n += 1) await Promise.all([comment(n), pause(everyMs)]);
  const delays = await ask<number[]>({ entries: comments } satisfies Hearing);
  const after = await server.child.ask<Expense>({});
  return {
    heard: delay(delays),
    statements: ((after.statements ?? 0) - (before.statements ?? 0)) / comments,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / comments,
    memoryBytes: after.memoryBytes,
  };
}
