import type { Contract } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import { Missing } from "../../platform/refusal.ts";
import { findSkills, type ImportNeeds, importSkills } from "./import-skills.ts";
import { presentFile, presentSkill, presentVersion, versionedSkill } from "./present.ts";
import { findFile, getSkill, listSkills, listVersions } from "./store.ts";

/** Operations on skills. */
export const skillHandlers = (needs: ImportNeeds): HandlersOf<Contract["skills"]> => ({
  list: async (scope, { query: { limit, cursor } }) => {
    const rows = await listSkills(scope, { limit: limit + 1, before: decodeCursor(cursor, isId) });
    return pageOf(rows, limit, (row) => row.id, presentSkill);
  },
  import: async (scope, { body, gone }) => {
    const proposed = await findSkills(scope, body, needs, gone);
    return async (change) => {
      const { skills, warnings } = await importSkills(change, proposed);
      return { imported: skills.map(presentSkill), warnings };
    };
  },
  get: async (scope, { params }) => versionedSkill(await getSkill(scope, params.skillId)),
  listVersions: async (scope, { params: { skillId }, query: { limit, cursor } }) => {
    await getSkill(scope, skillId);
    const rows = await listVersions(scope, { skillId, limit: limit + 1, before: decodeCursor(cursor, isId) });
    return pageOf(rows, limit, (row) => row.id, presentVersion);
  },
  getFile: async (scope, { params: { skillId }, query: { path, contentHash } }) => {
    const content = await findFile(scope, { skillId, path, ...(contentHash !== undefined && { contentHash }) });
    if (content !== undefined) return presentFile(path, content);
    await getSkill(scope, skillId);
    throw new Missing("skill_file", path);
  },
});
