import type { JsonObject } from "@roster/client";
import type { Proposed } from "./proposed.ts";

/** Something that a proposed agent could do or reach; `isGrave` is what a person should not overlook. */
export interface Touch {
  readonly what: string;
  readonly detail: string | null;
  readonly isGrave: boolean;
}

/** Everything that a proposed agent could touch, by its permissions, settings and environment. Pure. */
export function touchesOf(
  agent: Pick<Proposed, "permissions" | "adapterConfig">,
  schema: JsonObject,
  secretNames: ReadonlyMap<string, string>,
): readonly Touch[] {
  const { adapterConfig } = agent;
  return [
    { what: "Its own issues: it works on them, comments, and makes new ones", detail: null, isGrave: false },
    ...permissionTouches(agent),
    ...programTouches(adapterConfig, schema),
    ...environmentTouches((adapterConfig["env"] ?? {}) as JsonObject, secretNames),
  ];
}

function permissionTouches({ permissions }: Pick<Proposed, "permissions">): Touch[] {
  const { canAssignTasks, canCreateAgents, canManageSkills } = permissions;
  return [
    ...(canAssignTasks ? [{ what: "Assigns issues to anyone", detail: null, isGrave: false }] : []),
    ...(canManageSkills ? [{ what: "Imports skills, and syncs those of others", detail: null, isGrave: true }] : []),
    ...(canCreateAgents
      ? [{ what: "Hires without asking, where the company asks for no approval", detail: null, isGrave: true }]
      : []),
  ];
}

function programTouches(settings: JsonObject, schema: JsonObject): Touch[] {
  const { cwd, command, url } = settings;
  const folder = typeof cwd === "string" ? `The folder ${cwd} of the runner's machine` : "A folder of its own";
  const program = [command, url].find((given) => typeof given === "string") ?? null;
  return [
    { what: folder, detail: null, isGrave: typeof cwd === "string" },
    ...(program === null ? [] : [{ what: "What is run or called", detail: String(program), isGrave: false }]),
    ...unguarded(settings, schema).map(({ name, description }) => ({
      what: `Is not held back: ${name}`,
      detail: description,
      isGrave: true,
    })),
  ];
}

/** Settings called dangerous that hold for this agent, said or as usual. */
function unguarded(settings: JsonObject, schema: JsonObject): { name: string; description: string | null }[] {
  const properties = (schema["properties"] ?? {}) as Record<string, { default?: unknown; description?: string }>;
  return Object.entries(properties)
    .filter(([name, { default: usual }]) => name.startsWith("dangerously") && (settings[name] ?? usual) === true)
    .map(([name, { description = null }]) => ({ name, description }));
}

function environmentTouches(env: JsonObject, secretNames: ReadonlyMap<string, string>): Touch[] {
  return Object.entries(env).map(([name, value]) => {
    const { type, secretId } = (typeof value === "object" && value !== null ? value : {}) as JsonObject;
    if (type !== "secret_ref") return { what: `The variable ${name}`, detail: null, isGrave: false };
    const secret = secretNames.get(String(secretId)) ?? String(secretId);
    return { what: `The secret ${secret}`, detail: `as the variable ${name}`, isGrave: true };
  });
}
