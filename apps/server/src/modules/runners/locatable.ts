import type { Locatable } from "../../platform/locate.ts";
import { runners } from "./table.ts";

/** Runners as paths name them. */
export const runnerLocatable: Locatable = { kind: "runner", table: runners, id: runners.id, companyId: null };
