import type { Operation } from "@roster/contract";
import { Missing, refusalOfMissing } from "../refusal.ts";
import { markOf } from "../schema-shape.ts";
import type { Gate, Target } from "./authorise.ts";
import type { StoredAnswer } from "./table.ts";

/**
 * Refuses a list that was filtered by the id of another company's entity. Such a filter finds nothing, so of pages only
 * empty ones are looked at, and the good case costs no statement; what is told bit by bit is looked at before. An id that
 * nobody has finds nothing.
 */
export async function refuseForeignFilter(
  gate: Gate,
  asked: { operation: Operation; query: unknown; target: Target },
  answer: StoredAnswer,
): Promise<void> {
  const { kind: answers } = asked.operation.answer;
  if (answers !== "page" && answers !== "lines") return;
  if (Array.isArray(answer.body) && answer.body.length > 0) return;
  const query = asked.query as Readonly<Record<string, unknown>>;
  for (const [name, schema] of Object.entries(asked.operation.query?.shape ?? {})) {
    const kind = markOf(schema, "refersTo");
    const id = query[name];
    if (typeof kind !== "string" || typeof id !== "string") continue;
    const companyId = await gate.locator.companyOf(gate.db, kind, id);
    if (companyId !== null && companyId !== asked.target.companyId) throw refusalOfMissing(new Missing(kind, id), true);
  }
}
