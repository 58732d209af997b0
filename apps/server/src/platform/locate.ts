import { instanceId } from "@roster/contract";
import { eq } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Reader } from "./database/index.ts";

/** An entity found by a name that people use instead of its id. */
export interface Located {
  readonly id: string;
  readonly companyId: string;
}

/** A kind of entity that a path can name. */
export interface Locatable {
  /** The word of the path parameter without `Id`, in snake case: `agent` for `:agentId`. */
  readonly kind: string;
  /** Its table, whose plain index on `id` only `locate` reads. */
  readonly table: PgTable;
  readonly id: PgColumn;
  /** null where such things belong to the deployment itself. */
  readonly companyId: PgColumn | null;
  /** One of them may be in several companies, as people are. */
  readonly isShared?: true;
  /** Finds by name inside a company, or, where names are unique in the deployment, without one. */
  readonly findByName?: (db: Reader, name: string, companyId: string | null) => Promise<Located | null>;
  /** Its names are unique in their company only. */
  readonly isNamedInCompany?: true;
}

/** The kind of what may be of any kind that belongs to one company. */
const anyKind = "entity";

/** Answers which company an entity belongs to. */
export interface Locator {
  /**
   * The company of the entity, or null when there is no such entity anywhere. One statement; of an `entity`, one for each
   * kind until it is found.
   */
  companyOf(db: Reader, kind: string, id: string): Promise<string | null>;
  /** The entity of that name, or null. */
  byName(db: Reader, kind: string, name: string, companyId: string | null): Promise<Located | null>;
  /** True where a name is nothing without its company. */
  isNamedInCompany(kind: string): boolean;
}

/** A locator over the kinds that the modules declare. */
export function createLocator(locatables: readonly Locatable[]): Locator {
  const kinds = new Map(locatables.map((locatable) => [locatable.kind, locatable]));
  const owned = locatables.filter(({ companyId, isShared }) => companyId !== null && !isShared);
  return {
    async companyOf(db, kind, id) {
      for (const locatable of kind === anyKind ? owned : locatables.filter((one) => one.kind === kind)) {
        const companyId = await companyIn(db, locatable, id);
        if (companyId !== null) return companyId;
      }
      return null;
    },
    async byName(db, kind, name, companyId) {
      return (await kinds.get(kind)?.findByName?.(db, name, companyId)) ?? null;
    },
    isNamedInCompany: (kind) => kinds.get(kind)?.isNamedInCompany === true,
  };
}

async function companyIn(db: Reader, { table, id, companyId }: Locatable, wanted: string): Promise<string | null> {
  const [row] = await db
    .select({ companyId: companyId ?? id })
    .from(table)
    .where(eq(id, wanted));
  if (row === undefined) return null;
  return companyId === null ? instanceId : (row.companyId as string);
}
