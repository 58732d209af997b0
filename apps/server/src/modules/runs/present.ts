import { type Run, type RunEvent, type RunWithChain, sentenceOf } from "@roster/contract";
import { centsOf } from "../budgets/index.ts";
import { isOverBudget, waitingFor } from "./admission.ts";
import type { ChainEntry } from "./cause-store.ts";
import type { RunEventRow } from "./event-store.ts";
import type { RunRow } from "./store.ts";

const timeOf = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** A stored run as the API shows it. */
export function presentRun(row: RunRow): Run {
  const { run, lease } = row;
  const log = lease ?? run;
  return {
    id: run.id,
    companyId: run.companyId,
    agentId: run.agentId,
    issueId: run.issueId,
    approvalId: run.approvalId,
    status: run.status,
    ending: run.finishedAt === null ? run.ending : null,
    waitingFor: run.status === "queued" ? waitingFor({ ...row, isOverBudget: isOverBudget(row) }) : null,
    wakes: row.wakes.map((wake) => ({ ...wake, createdAt: new Date(wake.createdAt).toISOString() })),
    attempt: run.attempt,
    retryOf: run.retryOf,
    runnerId: run.runnerId,
    revision: row.revision,
    cause: causeOf(run),
    exitCode: run.exitCode,
    signal: run.signal,
    usage: usageOf(log),
    log: { bytes: row.isForgotten ? 0 : log.logBytes, truncated: log.logTruncated, forgotten: row.isForgotten },
    createdAt: run.createdAt.toISOString(),
    claimedAt: timeOf(run.claimedAt),
    startedAt: timeOf(run.startedAt),
    finishedAt: timeOf(run.finishedAt),
  };
}

function causeOf({ outcomeCode, outcomeMessage, nextActor }: RunRow["run"]): Run["cause"] {
  if (outcomeCode === null) return null;
  return { code: outcomeCode, message: outcomeMessage ?? "", nextActor: nextActor ?? "nobody" };
}

const usageOf = (used: Pick<RunRow["run"], "inputTokens" | "cachedInputTokens" | "outputTokens" | "costMicros">) => ({
  inputTokens: used.inputTokens,
  cachedInputTokens: used.cachedInputTokens,
  outputTokens: used.outputTokens,
  costCents: centsOf(used.costMicros),
});

/** An entry of the chain of causes that led to a run, as the API shows it. */
export const presentLink = ({ seq, action, hops, details }: ChainEntry): RunWithChain["chain"][number] => ({
  seq: Number(seq),
  action,
  hops,
  sentence: sentenceOf(action, details),
});

/** A stored event of a run as the API shows it. */
export function presentEvent(row: RunEventRow): RunEvent {
  return {
    seq: row.seq,
    kind: row.kind,
    stream: row.stream,
    text: row.content?.toString("utf8").replaceAll("\u0000", "\ufffd") ?? null,
    data: row.data,
    createdAt: row.createdAt.toISOString(),
  };
}
