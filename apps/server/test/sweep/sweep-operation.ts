import type { NamedOperation } from "@roster/contract";
import { badInputs } from "./bad-inputs.ts";
import { mayCall } from "./caller-kinds.ts";
import type { Finding } from "./finding.ts";
import { walkPages } from "./page-walk.ts";
import type { Stage } from "./start-world.ts";
import { tryAgain } from "./try-again.ts";
import { tryCallers } from "./try-callers.ts";
import { makerOf, tryValidInputs } from "./try-change.ts";
import { tryContentTypes } from "./try-content-types.ts";
import { tryFollowing } from "./try-following.ts";
import { tryIdempotency } from "./try-idempotency.ts";
import { tryIfMatch } from "./try-if-match.ts";
import { tryLines } from "./try-lines.ts";
import { tryRanges } from "./try-ranges.ts";
import { findWay, ready, type Way } from "./way.ts";

/** Of what nobody there may call. */
const noWay: Way = { label: "", prepare: () => Promise.resolve(), choice: 0 };

/** What is wrong with whom an operation lets in, by valid calls alone. */
export async function sweepCallers({ world, cast }: Stage, named: NamedOperation): Promise<Finding[]> {
  const some = cast.find((one) => one.about === "own" && mayCall(one, named));
  const way = some === undefined ? noWay : await findWay(world, named, some.actor);
  return tryCallers(world, cast, { named, way, bad: [] });
}

/** Everything that is wrong with an operation. */
export async function sweepOperation({ world, cast }: Stage, named: NamedOperation): Promise<Finding[]> {
  const [actor, ...others] = cast.filter((one) => mayCall(one, named)).map((one) => one.actor);
  if (actor === undefined) return [{ at: "any caller", fault: "nobody may call it" }];
  const way = await findWay(world, named, actor);
  const there = await ready(world, named, actor, way);
  if (there === null) throw new Error("the way has no such input");
  const bad = await badInputs({ world, named, actor, place: there.place, good: there.input });
  const make = makerOf(world, named, { actor, way, expected: { kind: "accepted" } });
  return [
    ...(await tryCallers(world, cast, { named, way, bad })),
    ...(await tryValidInputs(world, named, actor, way)),
    ...(await tryAgain(world, named, make)),
    ...(await tryContentTypes(world, named, make)),
    ...(await tryIfMatch(world, named, make)),
    ...(await tryIdempotency(world, named, make, others)),
    ...(await walkPages(world, named, await make())),
    ...(await tryFollowing(world, named, await make())),
    ...(await tryLines(world, named, await make())),
    ...(await tryRanges(world, named, await make())),
  ];
}
