import type { Operation } from "@roster/contract";
import { entrust, reopen } from "./build-run.ts";
import { pathValues } from "./entity-builders.ts";
import { knownValue } from "./known-values.ts";
import { type Actor, idsOf, type Place, paramsOf, ruleOf, type World } from "./world.ts";

/** Fills in the path parameters that an operation needs and that are not given, with entities made for it. */
export async function placeFor(world: World, operation: Operation, given: Place): Promise<Place> {
  let { params } = given;
  for (const name of paramsOf(operation)) {
    if (params[name] !== undefined) continue;
    params = { ...params, [name]: await valueFor(world, name, { companyId: given.companyId, params }) };
  }
  return { companyId: given.companyId, params };
}

async function valueFor(world: World, name: string, place: Place): Promise<string> {
  if (name === "companyId") return place.companyId;
  if (name.endsWith("Id")) return world.build(name.slice(0, -2), place);
  const made = pathValues[name];
  if (made !== undefined) return made(world, place);
  const known = knownValue([name], world.next());
  if (typeof known === "string") return known;
  throw new Error(
    `the path parameter ":${name}" names no entity: add a value to apps/server/test/sweep/entity-builders.ts`,
  );
}

/**
 * A place of its own for one call by this actor, which finds there what it may act on. What the board does to a whole
 * company it does to a new one, so that the others stay as they are.
 */
export async function ownPlace(world: World, operation: Operation, actor: Actor): Promise<Place> {
  const { agent, run, runner } = actor;
  const ids = idsOf(operation);
  if (agent !== undefined && run !== undefined && ruleOf(operation).agent === "run") {
    await reopen(world, run.id);
    return placeFor(world, operation, { companyId: agent.companyId, params: { runId: run.id } });
  }
  if (agent !== undefined) {
    const isAboutItself = ruleOf(operation).agent === "self" && ids.includes("agentId");
    const params = isAboutItself ? { agentId: agent.id } : {};
    return placeFor(world, operation, { companyId: agent.companyId, params });
  }
  if (runner !== undefined) {
    const place = await placeFor(world, operation, { companyId: world.home, params: {} });
    const { runId } = place.params;
    if (runId !== undefined) await entrust(world, runId, runner.id);
    return place;
  }
  const isAboutCompany = ids.length === 1 && ids[0] === "companyId";
  const companyId = isAboutCompany ? await world.build("company", nowhere) : world.home;
  return placeFor(world, operation, { companyId, params: {} });
}

const nowhere: Place = { companyId: "", params: {} };
