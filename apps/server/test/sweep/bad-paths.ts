import { refused } from "./answer-check.ts";
import type { BadInput, Ground } from "./bad-input.ts";
import { placeFor } from "./places.ts";
import { unknownId } from "./sample.ts";
import { idsOf, type Place } from "./world.ts";

/** Paths that lead nowhere, or where the caller may not go, for every id in the path. */
export async function badPaths(ground: Ground): Promise<BadInput[]> {
  const ids = idsOf(ground.named.operation);
  const bad = ids.flatMap(leadingNowhere);
  if (ground.named.operation.method === "GET") bad.push(...ids.map((name) => inCapitals(name, ground.place)));
  for (const [index, name] of ids.entries()) bad.push(...(await leadingElsewhere(ground, name, index > 0)));
  return bad;
}

function leadingNowhere(name: string): BadInput[] {
  const values: readonly (readonly [string, string])[] = [
    ["of nobody", unknownId()],
    ["that is no id", "no-such-thing"],
    ["that is nearly an id", "0198f000-0000-7000-8000-00000000000g"],
    ["of the instance", "00000000-0000-0000-0000-000000000000"],
    ["with a NUL character", "a%00b"],
    ["with a quote", "a'%22%5C%3B--"],
    ["with half a surrogate pair", "a%ED%A0%80"],
    ["that is very long", "a".repeat(600)],
    ["with a slash inside", "a%2Fb"],
  ];
  return values.map(([what, value]) => ({
    label: `:${name} ${what}`,
    input: { rawParams: { [name]: value } },
    expected: refused("not_found"),
    found: "path",
  }));
}

/** Not wrong at all: ids are the same in capitals. */
const inCapitals = (name: string, { params }: Place): BadInput => ({
  label: `:${name} in capitals`,
  input: { rawParams: { [name]: (params[name] ?? "").toUpperCase() } },
  expected: { kind: "accepted" },
  found: "path",
});

/** The board sees every company, so for it only a second id can be of another one than the first. */
async function leadingElsewhere(ground: Ground, name: string, isInner: boolean): Promise<BadInput[]> {
  const { world, named, actor, place } = ground;
  if (actor.agent === undefined && !isInner) return [];
  const companyId = actor.agent?.companyId === world.elsewhere ? world.home : world.elsewhere;
  const foreign = await placeFor(world, named.operation, { companyId, params: {} });
  const bad: BadInput[] = [
    {
      label: `:${name} of another company`,
      input: { rawParams: { [name]: foreign.params[name] ?? "" } },
      expected: refused("other_company"),
      found: "path",
    },
  ];
  // What stands directly in the company belongs to no other thing there.
  if (!isInner || idsOf(named.operation)[0] === "companyId") return bad;
  const beside: Place = await placeFor(world, named.operation, { companyId: place.companyId, params: {} });
  const stray = { rawParams: { [name]: beside.params[name] ?? "" } };
  return [
    ...bad,
    { label: `:${name} of another one here`, input: stray, expected: refused("not_found"), found: "path" },
  ];
}
