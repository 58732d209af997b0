import { type RefusalCode, type RefusalDetail, refusalStatus, refusalStatusInBody } from "@roster/contract";

interface RefusalParts {
  readonly details?: readonly RefusalDetail[];
  readonly fix?: Readonly<Record<string, unknown>>;
  readonly retryAfterSec?: number;
  /** A body or payload is the cause where the code's own status speaks of a header. */
  readonly inBody?: true;
}

/** The state that a code speaks of, for whoever reads details alone; a refusal that knows more says that instead. */
const statesOfCodes: Partial<Record<RefusalCode, RefusalDetail>> = {
  agent_pending_approval: { path: "agent.status", message: "is pending_approval" },
  agent_terminated: { path: "agent.status", message: "is terminated" },
  agent_paused: { path: "agent.status", message: "is paused" },
  approval_required: { path: "company.requireBoardApprovalForNewAgents", message: "is true" },
  wake_disabled: { path: "agent.runtimeConfig.heartbeat.wakeOnDemand", message: "is false" },
  stale_lease: { path: "epoch", message: "is not that of a lease of this runner" },
};

/** The one way to say no: thrown anywhere, answered as the contract's refusal body; an open change is undone. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: readonly RefusalDetail[];
  readonly fix: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSec: number | undefined;
  readonly status: number;

  constructor(code: RefusalCode, message: string, parts: RefusalParts = {}) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    const state = statesOfCodes[code];
    this.details = parts.details ?? (state === undefined ? [] : [state]);
    this.fix = parts.fix;
    this.retryAfterSec = parts.retryAfterSec;
    const inBody: Partial<Record<RefusalCode, number>> = parts.inBody ? refusalStatusInBody : {};
    this.status = inBody[code] ?? refusalStatus[code];
  }
}

/**
 * An id that leads nowhere in the caller's company. Whether it is another company's (403) or nobody's (404, or 422
 * when a body named it at `path`) is looked up only then, so that the good case costs no statement.
 */
export class Missing extends Error {
  readonly kind: string;
  readonly id: string;
  /** Where a body or query named the id; undefined when the path of the request did. */
  readonly path: string | undefined;

  constructor(kind: string, id: string, path?: string) {
    super(`no ${kind} ${id}`);
    this.name = "Missing";
    this.kind = kind;
    this.id = id;
    this.path = path;
  }
}

/**
 * Runs `work` about a part of a body or payload: what it refuses speaks of that part, and names it by its place in the
 * whole.
 */
export async function within<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Missing) throw new Missing(error.kind, error.id, inside(place, error.path));
    if (!(error instanceof Refusal)) throw error;
    const { code, message, fix, retryAfterSec } = error;
    const details = error.details.map((detail) => ({ ...detail, path: inside(place, detail.path) }));
    throw new Refusal(code, message, { details, ...(fix && { fix }), ...(retryAfterSec && { retryAfterSec }) });
  }
}

const inside = (place: string, path = ""): string => (path === "" ? place : `${place}.${path}`);

/** What a {@link Missing} becomes once it is known whether another company has the entity. */
export function refusalOfMissing(missing: Missing, elsewhere: boolean): Refusal {
  const what = missing.kind.replaceAll("_", " ");
  if (elsewhere) return new Refusal("other_company", `This ${what} belongs to another company.`);
  if (missing.path === undefined) return new Refusal("not_found", `There is no such ${what}.`);
  return new Refusal("unknown_reference", `There is no ${what} with the id that ${missing.path} names.`, {
    details: [{ path: missing.path, message: `no ${what} has this id` }],
  });
}
