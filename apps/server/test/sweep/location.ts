import { allOperations, type NamedOperation, type Operation } from "@roster/contract";
import { parsed } from "./answer-check.ts";
import { callOf } from "./input.ts";
import type { Answer } from "./wire.ts";
import { type Actor, paramsOf, type World } from "./world.ts";

/** What is wrong with the `Location` of a creation: it has to show what was created, by itself or in its list. */
export async function locationFaults(
  world: World,
  { operation }: NamedOperation,
  actor: Actor,
  answer: Answer,
): Promise<string[]> {
  const { location } = answer.headers;
  if (operation.answer.kind !== "created" || location === undefined) return [];
  const read = allOperations().find((other) => other.operation.method === "GET" && leadsTo(other.operation, location));
  if (read === undefined) return [`Location ${location} is nothing that can be read`];
  const there = { companyId: "", params: paramsIn(read.operation, location) };
  const seen = await world.wire.send(callOf(read, actor, there));
  if (seen.status !== 200) return [`Location ${location} answers ${seen.status}`];
  if (read.operation.answer.kind !== "record") return [];
  const faults: string[] = [];
  const found = parsed(seen.text) as { id?: unknown };
  if (!location.endsWith(`/${String(found.id)}`)) faults.push(`Location ${location} shows ${String(found.id)}`);
  if (answer.headers.etag !== undefined && answer.headers.etag !== seen.headers.etag) {
    faults.push(`ETag ${answer.headers.etag}, but ${seen.headers.etag} at Location`);
  }
  return faults;
}

const patternOf = ({ path }: Operation): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/:\w+/g, "([^/]+)")}$`);

const leadsTo = (operation: Operation, location: string): boolean => patternOf(operation).test(location);

function paramsIn(operation: Operation, location: string): Record<string, string> {
  const values = patternOf(operation).exec(location)?.slice(1) ?? [];
  return Object.fromEntries(paramsOf(operation).map((name, index) => [name, values[index] ?? ""]));
}
