import type { NamedOperation } from "@roster/contract";
import type { Expected } from "./answer-check.ts";
import type { Finding } from "./finding.ts";
import type { Input } from "./input.ts";
import { schemaOf } from "./input-schema.ts";
import { type MakeTrial, tryChange } from "./try-change.ts";
import type { World } from "./world.ts";

/** Other ways to send a good body: with a charset, in other capitals, as a merge patch; and no body, which counts as `{}`. */
export async function tryContentTypes(world: World, named: NamedOperation, make: MakeTrial): Promise<Finding[]> {
  const { body, method } = named.operation;
  if (body === undefined) return [];
  const types = ["application/json; charset=utf-8", "Application/JSON"];
  if (method === "PATCH") types.push("application/merge-patch+json");
  const findings: Finding[] = [];
  for (const type of types) {
    findings.push(...(await tryWith(world, named, { make, label: `as ${type}`, headers: { "content-type": type } })));
  }
  const { required = [] } = schemaOf(body, "input");
  if (required.length > 0) return findings;
  const empty = { make, label: "without a body", rawBody: "", expected: { kind: "documented" } as const };
  return [...findings, ...(await tryWith(world, named, empty))];
}

interface Manner extends Pick<Input, "headers" | "rawBody"> {
  readonly make: MakeTrial;
  readonly label: string;
  readonly expected?: Expected;
}

const tryWith = (
  world: World,
  named: NamedOperation,
  { make, label, expected, ...manner }: Manner,
): Promise<Finding[]> =>
  tryChange(world, named, async () => {
    const trial = await make();
    const input = { ...trial.input, ...manner };
    return { ...trial, label: `${trial.label}, ${label}`, input, ...(expected && { expected }) };
  });
