import type { AdapterOutcome } from "@roster/adapter";

/** What went wrong, in the words of the program or of its provider. */
export type Trouble = Pick<AdapterOutcome, "retryAfterSec" | "retryAtMs"> & {
  readonly code: "auth_failed" | "rate_limited" | "budget_exhausted" | "agent_error";
  readonly words: string;
};

/** Whoever has to sign in, pay or be let in is a person: it is not tried again. */
const needsPerson = [
  /\b40[13]\b|unauthori[sz]ed|unauthenticated|permission_denied|authentication/i,
  /(?:invalid|incorrect|missing|no) (?:x-)?api[- _]?key|api[_ -]key (?:not valid|is missing|environment variable)/i,
  /not (?:logged|signed) in|please (?:run )?\/?log ?in|login required|token (?:has )?(?:expired|been revoked)/i,
  /auth(?:entication)? method/i,
  /credit balance|insufficient_quota|billing|payment required/i,
];
/** The provider asks for patience, or is not there: it is tried again. */
const needsTime = [
  /\b(?:429|50[0234]|529)\b|rate.?limit|too many requests|resource_exhausted|overloaded|quota|usage limit/i,
  /stream disconnected|unable to connect|connection (?:error|failed|refused|reset)|fetch failed|socket hang up/i,
  /ECONNRE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|service unavailable|failed to lookup/,
];

/** What these words of a program that failed mean. Pure. */
export function troubleIn(words: string): Trouble {
  if (needsPerson.some((pattern) => pattern.test(words))) return { code: "auth_failed", words };
  if (!needsTime.some((pattern) => pattern.test(words))) return { code: "agent_error", words };
  const retryAfterSec = waitIn(words);
  return { code: "rate_limited", words, ...(retryAfterSec !== null && { retryAfterSec }) };
}

/** What a status of HTTP means, told with these words; null for one that says nothing of who has to act. Pure. */
export function troubleOfStatus(status: number, words: string): Trouble | null {
  if (status === 401 || status === 403 || status === 402) return { code: "auth_failed", words };
  if (status !== 429 && status < 500) return null;
  return { ...troubleIn(words), code: "rate_limited", words };
}

const unitSec = { d: 86_400, h: 3600, m: 60, s: 1 } as const;
const longestWaitSec = 604_800;

/** How long to wait, where words say so: "try again in 2 days 3 hours", "retry after 20s". Pure. */
function waitIn(words: string): number | null {
  const named =
    /(?:try again|retry|resets?|available)\s+(?:again\s+)?(?:in|after)\s+((?:[\d.]+\s*[a-z]+[\s,]*(?:and\s+)?)+)/i;
  const span = named.exec(words)?.[1];
  if (span === undefined) return null;
  const parts = [...span.matchAll(/(\d+(?:\.\d+)?)\s*(ms|milli|d|h|m|s)[a-z]*/gi)];
  const seconds = parts.map(([, count, unit = "s"]) => Number(count) * secondsOf(unit.toLowerCase()));
  const sum = seconds.reduce((total, each) => total + each, 0);
  return sum > 0 ? Math.min(Math.ceil(sum), longestWaitSec) : null;
}

function secondsOf(unit: string): number {
  if (unit === "ms" || unit === "milli") return 0.001;
  return unitSec[unit as keyof typeof unitSec] ?? 1;
}
