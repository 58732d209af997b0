import type { Locatable } from "../../platform/locate.ts";
import { sessions } from "./table.ts";

/** Sessions as paths name them. */
export const sessionLocatable: Locatable = { kind: "session", table: sessions, id: sessions.id, companyId: null };
