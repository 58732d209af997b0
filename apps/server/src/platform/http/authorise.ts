import {
  type CallerRule,
  instanceId,
  type Operation,
  permissions,
  type Role,
  roleAtLeast,
  roles,
  takesCompanyHint,
} from "@roster/contract";
import type { Reader } from "../database/index.ts";
import { isId } from "../ids.ts";
import type { Locator } from "../locate.ts";
import { Missing, Refusal, refusalOfMissing } from "../refusal.ts";
import { type Caller, isLocalBoard } from "../scope.ts";

/** What a request is about: the company it happens in, and its path parameters with names resolved to ids. */
export interface Target {
  readonly companyId: string;
  readonly params: Readonly<Record<string, string>>;
}

/** What authorising needs beside the request. */
export interface Gate {
  readonly db: Reader;
  readonly locator: Locator;
  /** The role of a person in a company; null for who is no member. */
  readonly roleOf: (db: Reader, companyId: string, userId: string) => Promise<Role | null>;
}

/** What a request brings to its operation. */
export interface Ask {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * Decides whether this caller may call this operation here. First the kind of caller, then the entity the path names
 * (another company's: 403, nobody's: 404), then the rule that ties the two. For an agent's own company the entity is
 * not looked up: the command finds out.
 */
export async function authorise(gate: Gate, ask: Ask): Promise<Target> {
  const rule: CallerRule = permissions[ask.operation.may];
  requireKind(rule, ask);
  const target = await targetOf(gate, ask);
  requireServed(ask, target);
  await requireMember(gate, rule, ask, target);
  await requireCompanyAsked(gate, ask, target);
  if (rule.agent === "self") await requireSelf(gate, ask, target);
  if (rule.agent === "run") await requireOwnRun(gate, ask, target);
  return target;
}

function requireKind(rule: CallerRule, { caller, operation }: Ask): void {
  if (rule.public) return;
  if (caller.kind === "scraper") {
    if (rule.scraper) return;
    throw new Refusal("forbidden", "This token reads the metrics and nothing else.");
  }
  if (rule.runner && caller.kind !== "runner") {
    throw new Refusal("forbidden", "Only a runner may do this; send its token.");
  }
  if (!rule.runner && caller.kind === "runner") {
    throw new Refusal("forbidden", "A runner may not do this; it calls what is under /api/runner.");
  }
  if (caller.kind === "runner") return;
  if (caller.kind === "agent") {
    if (rule.agent === "never") throw new Refusal("forbidden", "Agents may not do this; ask the board.");
    if (caller.status === "paused" && operation.method !== "GET") {
      throw new Refusal("credential_suspended", "This agent is paused: its credential reads but does not write.");
    }
    return;
  }
  if (rule.board === "instanceAdmin") requireInstanceAdmin(caller);
  if (rule.board !== "never") return;
  throw new Refusal(
    "agent_credential_required",
    "Only an agent can call this: send its key as Authorization: Bearer.",
    {
      fix: { header: { authorization: "Bearer svk_…" } },
    },
  );
}

function requireInstanceAdmin(caller: Caller): void {
  if (caller.kind === "board" && (isLocalBoard(caller) || caller.signedIn?.isInstanceAdmin)) return;
  throw new Refusal("forbidden", "Only who runs this deployment may do this.");
}

/**
 * A person who signed in sees only the companies it is a member of, and does there what its role may. The local board
 * needs no role.
 */
async function requireMember(gate: Gate, rule: CallerRule, { caller, params }: Ask, target: Target): Promise<void> {
  if (caller.kind !== "board" || isLocalBoard(caller)) return;
  const needed = roles.find((role) => role === rule.board);
  if (target.companyId === instanceId) {
    if (needed !== undefined) throw new Refusal("forbidden", "This is done inside a company.");
    return;
  }
  const own = await gate.roleOf(gate.db, target.companyId, caller.userId);
  if (own === null)
    throw refusalOfMissing(new Missing(kindOf(subjectOf(params) ?? "companyId"), target.companyId), true);
  if (needed === undefined || roleAtLeast(own, needed)) return;
  throw new Refusal("forbidden", `This needs the role ${needed} in the company; yours is ${own}.`);
}

/** A runner that works for some companies knows no others. */
function requireServed({ caller, params }: Ask, { companyId }: Target): void {
  if (caller.kind !== "runner" || caller.companyIds === null || companyId === instanceId) return;
  if (caller.companyIds.includes(companyId)) return;
  throw refusalOfMissing(new Missing(kindOf(subjectOf(params) ?? "companyId"), companyId), true);
}

async function targetOf(gate: Gate, ask: Ask): Promise<Target> {
  const { caller, params } = ask;
  const subject = subjectOf(params);
  if (subject === undefined) return { companyId: caller.kind === "agent" ? caller.companyId : instanceId, params };
  requireInnerIds(params, subject);
  const kind = kindOf(subject);
  const given = params[subject] ?? "";
  if (!isId(given)) return named(gate, ask, subject);
  if (caller.kind === "agent") {
    if (kind !== "company" || given.toLowerCase() === caller.companyId)
      return { companyId: caller.companyId, params: lowered(params) };
    throw refusalOfMissing(new Missing(kind, given), (await gate.locator.companyOf(gate.db, kind, given)) !== null);
  }
  // Of a runner's request it was looked up with the runner.
  const known = caller.kind === "runner" && subject === "runId" ? caller.runCompanyId : null;
  const companyId = known ?? (await gate.locator.companyOf(gate.db, kind, given));
  if (companyId === null) throw refusalOfMissing(new Missing(kind, given), false);
  return { companyId, params: lowered(params) };
}

/** Only the first entity of a path may be called by a name; an inner one that is no id is nobody's. */
function requireInnerIds(params: Readonly<Record<string, string>>, subject: string): void {
  for (const [name, value] of Object.entries(params)) {
    if (name === subject || !name.endsWith("Id") || isId(value)) continue;
    throw refusalOfMissing(new Missing(kindOf(name), value), false);
  }
}

/** Names are looked up in the caller's own company; the board says which, or uses one that is unique everywhere. */
async function named(gate: Gate, { caller, params, query }: Ask, subject: string): Promise<Target> {
  const kind = kindOf(subject);
  const asked = typeof query["companyId"] === "string" && isId(query["companyId"]) ? query["companyId"] : null;
  const own = caller.kind === "agent" ? caller.companyId : asked;
  const found = await gate.locator.byName(gate.db, kind, params[subject] ?? "", own);
  if (found === null || (caller.kind === "agent" && found.companyId !== caller.companyId)) {
    if (own === null && gate.locator.isNamedInCompany(kind)) throw nameless(kind);
    throw refusalOfMissing(new Missing(kind, params[subject] ?? ""), false);
  }
  return { companyId: found.companyId, params: lowered({ ...params, [subject]: found.id }) };
}

function nameless(kind: string): Refusal {
  const message = `There is no such ${kind}. By its name it is found in one company: say which by ?companyId=, or give its id.`;
  return new Refusal("not_found", message);
}

/** A query that says in which company a name is looked up may not say another one than the entity's. */
async function requireCompanyAsked(gate: Gate, ask: Ask, { companyId, params }: Target): Promise<void> {
  const { caller, operation, query } = ask;
  const asked = query["companyId"];
  if (!takesCompanyHint(operation) || companyId === instanceId || typeof asked !== "string" || !isId(asked)) return;
  if (asked.toLowerCase() === companyId) return;
  const subject = subjectOf(params);
  if (caller.kind === "agent" && subject !== undefined) {
    await requireHere(gate, companyId, kindOf(subject), params[subject] ?? "");
  }
  await requireHere(gate, companyId, "company", asked);
}

async function requireSelf(gate: Gate, { caller }: Ask, { companyId, params }: Target): Promise<void> {
  const agentId = params["agentId"];
  if (caller.kind !== "agent" || agentId === undefined || agentId === caller.agentId) return;
  await requireHere(gate, companyId, "agent", agentId);
  throw new Refusal("forbidden", "An agent may do this only for itself.");
}

async function requireOwnRun(gate: Gate, { caller }: Ask, { companyId, params }: Target): Promise<void> {
  const runId = params["runId"];
  if (caller.kind !== "agent" || runId === undefined || runId === caller.runId) return;
  await requireHere(gate, companyId, "run", runId);
  throw new Refusal("forbidden", "Only the agent in this run may do this: send the credential of the run.");
}

/** Refuses when the entity is not in this company: another company's with 403, nobody's with 404. */
export async function requireHere(gate: Gate, companyId: string, kind: string, id: string): Promise<void> {
  const found = await gate.locator.companyOf(gate.db, kind, id);
  if (found !== companyId) throw refusalOfMissing(new Missing(kind, id), found !== null);
}

/** The parameter that says which entity a request is about: the first id of its path. */
export const subjectOf = (params: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(params).find((name) => name.endsWith("Id"));

/** The kind of entity a path parameter names: `agent` for `agentId`. */
export const kindOf = (param: string): string => param.slice(0, -2);

const lowered = (params: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, isId(value) ? value.toLowerCase() : value]));
