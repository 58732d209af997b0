import { allOperations, type NamedOperation } from "@roster/contract";
import { callOf } from "../sweep/input.ts";
import { sampleSource, validInputs } from "../sweep/valid-inputs.ts";
import { type Actor, idsOf, type Place, type World } from "../sweep/world.ts";

const mostPages = 30;
const readable: ReadonlySet<string> = new Set(["record", "page", "text", "bytes", "lines"]);

/** Who reads, and about what. */
export interface Reader {
  readonly actor: Actor;
  readonly place: Place;
}

/** Everything that these callers can read about their companies and entities, one text for each answer. */
export async function readAround(world: World, readers: readonly Reader[]): Promise<string[]> {
  const answers = new Map<string, string>();
  for (const { actor, place } of readers) {
    const there: Place = { ...place, params: { companyId: place.companyId, ...place.params } };
    for (const reading of allOperations()) {
      const { method, answer } = reading.operation;
      const isAboutThese = idsOf(reading.operation).every((name) => name in there.params);
      if (method !== "GET" || !readable.has(answer.kind) || !isAboutThese) continue;
      await readPages(world, reading, { actor, place: there }, answers);
    }
  }
  return [...answers.values()];
}

async function readPages(
  world: World,
  reading: NamedOperation,
  { actor, place }: Reader,
  answers: Map<string, string>,
): Promise<void> {
  const valid = await validInputs(reading)[0]?.make(sampleSource(world, actor, place));
  const limit = reading.operation.answer.kind === "page" ? { limit: "200" } : {};
  let call = callOf(reading, actor, place, { query: { ...valid?.query, ...limit } });
  for (let pages = 0; pages < mostPages; pages += 1) {
    const key = `${actor.name} ${call.path}`;
    if (answers.has(key)) return;
    const { text, headers } = await world.wire.send(call);
    answers.set(key, `${reading.name} ${text}`);
    const next = /<([^>]+)>;\s*rel="next"/.exec(String(headers["link"] ?? ""))?.[1];
    if (next === undefined) return;
    call = { ...call, path: next };
  }
}
