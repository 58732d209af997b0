import type { QuestionBody } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { getReferredIssues } from "../issues/index.ts";
import type { Asked, EffectsByType } from "./effects.ts";
import { requestApproval } from "./request-approval.ts";
import type { ApprovalRow } from "./store.ts";

/** Asks the board something that is no hire, as soon as it is certain that an approval could take effect. */
export async function askBoard(change: Change, effects: EffectsByType, body: QuestionBody): Promise<ApprovalRow> {
  const asked = await askedOf(change, effects, body);
  const paths = new Map(body.issueIds.map((issueId, n) => [issueId.toLowerCase(), `issueIds.${n}`]));
  return requestApproval(change, { ...asked, type: body.type, issues: await getReferredIssues(change, paths) });
}

function askedOf(change: Change, effects: EffectsByType, body: QuestionBody): Promise<Asked> {
  if (body.type === "config_change") return effects.config_change.ask(change, body.payload);
  if (body.type === "budget_override") return effects.budget_override.ask(change, body.payload);
  return effects.board_request.ask(change, body.payload);
}
