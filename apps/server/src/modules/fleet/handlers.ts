import type { Contract } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { addRunner } from "../runners/index.ts";
import { moveRunner } from "./move-runner.ts";
import { presentInstance, presentRunner } from "./present.ts";
import { resumeInstance, stopInstance } from "./stop-instance.ts";
import { getInstance, getRunner, listKnownCompanies, listRunners } from "./store.ts";

/** Operations on the runners of the deployment. */
export const fleetHandlers: HandlersOf<Contract["fleet"]> = {
  list: async (scope, { query: { limit, cursor } }) => {
    const rows = await listRunners(scope, { limit: limit + 1, before: decodeCursor(cursor, isId) });
    return pageOf(rows, limit, (row) => row.id, presentRunner);
  },
  register: async (change, { body }) => {
    await requireCompanies(change, body.companyIds ?? []);
    const { id, token } = await addRunner(change, body);
    return { ...presentRunner(await getRunner(change, id)), token };
  },
  get: async (scope, { params }) => presentRunner(await getRunner(scope, params.runnerId)),
  drain: async (change, { params }) => presentRunner(await moveRunner(change, params.runnerId, "drain")),
  stop: async (change, { params }) => presentRunner(await moveRunner(change, params.runnerId, "stop")),
  resume: async (change, { params }) => presentRunner(await moveRunner(change, params.runnerId, "resume")),
  remove: async (change, { params }) => {
    await moveRunner(change, params.runnerId, "remove");
    return undefined;
  },
};

async function requireCompanies(scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set(await listKnownCompanies(scope, ids));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw new Missing("company", ids[unknown] ?? "", `companyIds.${unknown}`);
}

/** Operations on the deployment as a whole. */
export const instanceHandlers: HandlersOf<Contract["instance"]> = {
  get: async (scope) => presentInstance(await getInstance(scope)),
  stop: async (change) => {
    await stopInstance(change);
    return presentInstance(await getInstance(change));
  },
  resume: async (change) => {
    await resumeInstance(change);
    return presentInstance(await getInstance(change));
  },
};
