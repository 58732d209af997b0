import type { Locatable } from "../../platform/locate.ts";
import { findSkillByName } from "./store.ts";
import { skills } from "./table.ts";

/** Skills as paths name them: by id, or inside a company by key or by a slug that only one skill has. */
export const skillLocatable: Locatable = {
  kind: "skill",
  table: skills,
  id: skills.id,
  companyId: skills.companyId,
  findByName: (db, name, companyId) =>
    companyId === null ? Promise.resolve(null) : findSkillByName(db, name, companyId),
};
