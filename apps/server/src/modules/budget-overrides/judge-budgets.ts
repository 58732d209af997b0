import { type ChangeHost, change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { listWaiting } from "../runs/index.ts";
import { type JudgeNeeds, judgeHolder } from "./judge-holder.ts";
import { shortHolders } from "./short-holders.ts";
import { listDue } from "./store.ts";

const mostAtOnce = 100;

/**
 * Judges every holder of a budget of whom something is to be said or done, of all companies. It goes by what is stored:
 * whatever was missed before is done now, on whichever server. One that cannot be judged keeps no other from it.
 */
export async function judgeBudgets(host: ChangeHost, scope: Scope, needs: JudgeNeeds): Promise<void> {
  const due = [...(await listDue(scope.db, mostAtOnce)), ...shortHolders(await listWaiting(scope.db, null))];
  const faults: unknown[] = [];
  for (const { companyId, agentId } of due) {
    await change(host, { ...scope, companyId }, (opened) => judgeHolder(opened, needs, agentId)).catch(
      (error: unknown) => faults.push(error),
    );
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} budgets could not be judged`);
}
