import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { and, eq, gte, isNotNull, lt, sql } from "drizzle-orm";
import type { Change } from "../change.ts";
import type { Database } from "../database/index.ts";
import { Refusal } from "../refusal.ts";
import type { Caller, Scope } from "../scope.ts";
import { type Keys, keysOfVersion, seal, unseal } from "../secrets/index.ts";
import { upkeep } from "../upkeep.ts";
import { idempotencyKeys, type StoredAnswer } from "./table.ts";

const keptHours = 24;
const revealedMinutes = 10;

/** The key a caller sent, bound to caller, operation and path. */
export interface IdempotencyClaim {
  readonly digest: string;
  /** The body in its canonical form; only a MAC of it is stored. */
  readonly body: string;
  readonly rawKey: string;
  /** Field of the answer that is a secret shown once. */
  readonly reveals: string | undefined;
}

/** What is asked for under a key. */
export interface Asked {
  readonly caller: Caller;
  readonly operation: string;
  readonly path: string;
  readonly body: unknown;
  readonly reveals: string | undefined;
}

/** The claim of a request, or null where it has no `Idempotency-Key`. */
export function claimOf(header: string | string[] | undefined, asked: Asked): IdempotencyClaim | null {
  if (header === undefined) return null;
  if (typeof header !== "string" || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new Refusal("invalid_request", "Idempotency-Key must be 1 to 255 visible ASCII characters.", {
      details: [{ path: "idempotency-key", message: "1 to 255 visible ASCII characters" }],
    });
  }
  const parts = [callerKey(asked.caller), asked.operation, asked.path, header];
  return {
    digest: createHash("sha256").update(JSON.stringify(parts)).digest("hex"),
    body: canonicalize(asked.body) ?? "",
    rawKey: header,
    reveals: asked.reveals,
  };
}

function callerKey(caller: Caller): string {
  if (caller.kind === "agent") return `agent ${caller.agentId} ${caller.runId ?? ""}`;
  if (caller.kind === "runner") return `runner ${caller.runnerId}`;
  return caller.kind === "board" ? `board ${caller.userId}` : caller.kind;
}

/**
 * Takes the key inside the change's own transaction, as its first statement. Null means it is ours now: do the work,
 * then {@link storeAnswer}. A request under way with the same key is waited for; its answer comes back from here.
 */
export async function takeKey(keys: Keys, change: Change, claim: IdempotencyClaim): Promise<StoredAnswer | null> {
  const { now, upkeep: keep } = change;
  const { version: keyVersion } = keys;
  const fresh = { bodyMac: macOf(keys, claim), keyVersion, answer: null, sealed: null, createdAt: now };
  const taken = await keep
    .insert(idempotencyKeys)
    .values({ digest: claim.digest, ...fresh })
    .onConflictDoUpdate({
      target: idempotencyKeys.digest,
      set: fresh,
      setWhere: lt(idempotencyKeys.createdAt, keptSince(now)),
    })
    .returning({ digest: idempotencyKeys.digest });
  if (taken.length === 1) return null;
  const first = await findAnswer(keys, change, claim);
  if (first === null) throw new Error("an idempotency key was committed without its answer");
  return first;
}

/** The answer that is kept under the key, or null; refuses another body. Waits for nobody and takes nothing. */
export async function findAnswer(
  keys: Keys,
  { db, now }: Scope,
  claim: IdempotencyClaim,
): Promise<StoredAnswer | null> {
  const [first] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.digest, claim.digest), gte(idempotencyKeys.createdAt, keptSince(now))));
  if (first === undefined || first.answer === null) return null;
  const own = keysOfVersion(keys, first.keyVersion);
  if (own === null) {
    throw new Refusal(
      "idempotency_key_reused",
      "This Idempotency-Key was used before the service's master key was replaced. Look whether it was done, and use a new key.",
    );
  }
  if (first.bodyMac !== macOf(own, claim)) {
    throw new Refusal("idempotency_key_reused", "This Idempotency-Key was used with another body. Use a new key.");
  }
  const revealed = revealedSince(now) < first.createdAt ? first.sealed : null;
  return claim.reveals === undefined || revealed === null
    ? first.answer
    : withField(first.answer, claim.reveals, unseal(revealKey(own, claim), revealed, claim.digest));
}

/** Keeps the answer with the change. A secret in it is kept sealed under a key that only the caller can bring. */
export async function storeAnswer(
  keys: Keys,
  change: Change,
  claim: IdempotencyClaim,
  answer: StoredAnswer,
): Promise<void> {
  const secret = claim.reveals === undefined ? undefined : (answer.body as Record<string, unknown>)[claim.reveals];
  await change.upkeep
    .update(idempotencyKeys)
    .set(
      claim.reveals === undefined
        ? { answer }
        : {
            answer: withField(answer, claim.reveals, null),
            sealed: seal(revealKey(keys, claim), String(secret), claim.digest),
          },
    )
    .where(sql`${idempotencyKeys.digest} = ${claim.digest}`);
}

/** Forgets keys after a day and erases sealed answers after ten minutes. */
export async function forgetOldKeys(database: Database, now: Date): Promise<void> {
  await upkeep(database, async (keep) => {
    await keep.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, keptSince(now)));
    await keep
      .update(idempotencyKeys)
      .set({ sealed: null })
      .where(and(isNotNull(idempotencyKeys.sealed), lt(idempotencyKeys.createdAt, revealedSince(now))));
  });
}

const keptSince = (now: Date): Date => new Date(now.getTime() - keptHours * 3_600_000);
const revealedSince = (now: Date): Date => new Date(now.getTime() - revealedMinutes * 60_000);
const macOf = (keys: Keys, { body }: IdempotencyClaim): string => keys.mac("idempotency", body);
const revealKey = (keys: Keys, claim: IdempotencyClaim): Buffer => keys.derive("idempotency-answer", claim.rawKey);
const withField = (answer: StoredAnswer, field: string, value: unknown): StoredAnswer => ({
  ...answer,
  body: { ...(answer.body as Record<string, unknown>), [field]: value },
});
