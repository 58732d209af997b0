import { type RefusalCode, type RefusalDetail, refusalStatus } from "@roster/contract";

interface RefusalParts {
  readonly details?: readonly RefusalDetail[];
  readonly fix?: Readonly<Record<string, unknown>>;
  readonly retryAfterSec?: number;
}

/** The one way to say no: thrown anywhere, answered as the contract's refusal body; an open change is undone. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: readonly RefusalDetail[];
  readonly fix: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSec: number | undefined;

  constructor(code: RefusalCode, message: string, parts: RefusalParts = {}) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.details = parts.details ?? [];
    this.fix = parts.fix;
    this.retryAfterSec = parts.retryAfterSec;
  }

  get status(): number {
    return refusalStatus[this.code];
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

/** What a {@link Missing} becomes once it is known whether another company has the entity. */
export function refusalOfMissing(missing: Missing, elsewhere: boolean): Refusal {
  const what = missing.kind.replaceAll("_", " ");
  if (elsewhere) return new Refusal("other_company", `This ${what} belongs to another company.`);
  if (missing.path === undefined) return new Refusal("not_found", `There is no such ${what}.`);
  return new Refusal("unknown_reference", `There is no ${what} with the id that ${missing.path} names.`, {
    details: [{ path: missing.path, message: `no ${what} has this id` }],
  });
}
