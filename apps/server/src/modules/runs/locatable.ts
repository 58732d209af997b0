import type { Locatable } from "../../platform/locate.ts";
import { runs } from "./table.ts";

/** Runs as paths name them. */
export const runLocatable: Locatable = { kind: "run", table: runs, id: runs.id, companyId: runs.companyId };
