import { instanceId } from "@roster/contract";
import { type ChangeHost, change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { noCause, type Scope } from "../../platform/scope.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { endResealing, isResealing, listOlderValues, replaceSealed, type StoredValue } from "./reseal-store.ts";
import { sealAnew } from "./sealed-value.ts";

/** As many values as are sealed anew in one transaction: it holds no lock for long, and little is done twice. */
const batch = 100;

/** What came of sealing values anew. */
export interface Resealed {
  /** How many values this server has sealed anew. */
  readonly sealed: number;
  /** Values that neither key opens: they were altered, or are damaged. They stay as they are. */
  readonly lost: readonly Pick<StoredValue, "companyId" | "name" | "number">[];
}

/**
 * Ends a rotation of the master key that was begun: seals every value under the present key and says so in the log of
 * the deployment. Each batch commits by itself, so that it can be interrupted at any moment and gone on with, and
 * several servers may do it at once. Null where there is nothing to do.
 */
export async function resealSecrets(host: ChangeHost, keys: Keys): Promise<Resealed | null> {
  if (!(await isResealing(host.database.reader))) return null;
  for (let before = 0; ; ) {
    const { sealed, lost } = await sealAll(host, keys);
    before += sealed;
    const isOver = await change(host, scopeOf(host), async (opened) => {
      const end = await endResealing(opened, keys.version, lost.length);
      if (end === "ended") opened.record("master_key.rotated", instanceId, { version: keys.version });
      return end !== "left";
    });
    if (isOver) return { sealed: before, lost };
  }
}

async function sealAll({ database }: ChangeHost, keys: Keys): Promise<{ sealed: number; lost: StoredValue[] }> {
  const lost: StoredValue[] = [];
  let sealed = 0;
  for (let after: StoredValue | null = null; ; ) {
    const values: StoredValue[] = await listOlderValues(database.reader, keys.version, { after, limit: batch });
    after = values.at(-1) ?? null;
    if (after === null) return { sealed, lost };
    const anew = values.map((value) => [value, sealedAnew(keys, value)] as const);
    lost.push(...anew.flatMap(([value, bytes]) => (bytes === null ? [value] : [])));
    sealed += await replaceSealed(
      database,
      keys.version,
      anew.flatMap(([value, bytes]) => (bytes === null ? [] : [[value, bytes] as const])),
    );
  }
}

/** Null for a value that does not open: it must not keep all others from a new key. */
function sealedAnew(keys: Keys, value: StoredValue): Buffer | null {
  try {
    return sealAnew(keys, value, value);
  } catch {
    return null;
  }
}

const scopeOf = (host: ChangeHost): Scope => ({
  companyId: instanceId,
  caller: { kind: "system" },
  cause: noCause,
  db: host.database.reader,
  now: new Date(),
  requestId: newId(),
});
