import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { NamedOperation } from "@roster/contract";
import { parsed } from "./answer-check.ts";
import { type Finding, findingsAt } from "./finding.ts";
import { callOf, merged } from "./input.ts";
import { nameOf, type Trial } from "./trial.ts";
import type { Call } from "./wire.ts";
import type { World } from "./world.ts";

/**
 * What an event stream promises of a page: the same items, each with its number, from after any that was seen. Where the
 * beginning has to be asked for, the stream begins with what comes next if it is not.
 */
export async function tryFollowing(world: World, named: NamedOperation, trial: Trial): Promise<Finding[]> {
  const { answer } = named.operation;
  if (answer.kind !== "page" || answer.follows === undefined) return [];
  const { follows } = answer;
  // The log of a new company is short.
  await world.build("issue", { companyId: trial.place.companyId, params: {} });
  const call = callOf(named, trial.actor, trial.place, trial.input);
  const page = parsed((await world.wire.send(call)).text) as readonly Readonly<Record<string, unknown>>[];
  const blocks = page.map((item) => `id: ${String(item[follows])}\ndata: ${JSON.stringify(item)}`);
  const faults: string[] = [];
  if (blocks.length < 2) faults.push(`has ${blocks.length} items, too few to follow them`);
  const fromStart = callOf(named, trial.actor, trial.place, merged(trial.input, { rawQuery: "after=0" }));
  const isAsked = named.operation.query?.shape["after"]?.safeParse(undefined).data === undefined;
  const all = await followed(world, isAsked ? fromStart : call, { count: blocks.length });
  if (all !== blocks.join("\n\n")) faults.push(`the stream tells ${all.slice(0, 500)}`);
  const first = String(page[0]?.[follows]);
  for (const { path } of [call, fromStart]) {
    const rest = await followed(world, { ...call, path }, { count: blocks.length - 1, lastId: first });
    if (rest !== blocks.slice(1).join("\n\n")) faults.push(`after ${first} the stream tells ${rest.slice(0, 500)}`);
  }
  return findingsAt(`${nameOf(trial)}, as an event stream`, faults);
}

const patienceMs = 10_000;

/** The first events of a stream, as they are written. */
async function followed(
  { server }: World,
  { path, headers }: Call,
  { count, lastId }: { count: number; lastId?: string },
): Promise<string> {
  const asked = request(server.url + path, {
    headers: { ...headers, accept: "text/event-stream", ...(lastId !== undefined && { "last-event-id": lastId }) },
    signal: AbortSignal.timeout(patienceMs),
  }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += String(chunk);
    if (eventsIn(text).length >= count) break;
  }
  asked.destroy();
  return eventsIn(text).join("\n\n");
}

const eventsIn = (text: string): string[] =>
  text
    .split("\n\n")
    .slice(0, -1)
    .filter((block) => block.startsWith("id:") && block.includes("\ndata:"));
