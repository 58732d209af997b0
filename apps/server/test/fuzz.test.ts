import { allOperations } from "@roster/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { aimAt, goodBodies, type Target, tryBatch } from "./fuzz/batch.ts";
import { randomPathPart, randomQuery } from "./fuzz/random-address.ts";
import { randomBody } from "./fuzz/random-body.ts";
import type { Input } from "./sweep/input.ts";
import { schemaOf } from "./sweep/input-schema.ts";
import { type Stage, startStage } from "./sweep/start-world.ts";
import { idsOf } from "./sweep/world.ts";

// The same on every run, so that what fails here fails again; another number tries other inputs.
const seed = Number(process.env["FUZZ_SEED"] ?? 20_261_121);
const inputsEach = 100;
const inputsAtOnce = 20;

describe(`random input, FUZZ_SEED=${seed}`, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage.close());

  const named = allOperations();

  test.each(named.filter(({ operation }) => operation.body !== undefined))("bodies of $name", async (one) => {
    const target = await aimAt(stage, one);
    const { body } = one.operation;
    if (body === undefined) return;
    const matter = { schema: schemaOf(body, "input"), good: await goodBodies(target), ids: idsIn(target) };
    await tryAll(target, randomBody(matter), (rawBody) => ({ rawBody }));
  });

  test.each(named.filter(({ operation }) => operation.query !== undefined))("queries of $name", async (one) => {
    const target = await aimAt(stage, one);
    const { query } = one.operation;
    if (query === undefined) return;
    await tryAll(target, randomQuery(schemaOf(query, "input"), idsIn(target)), (rawQuery) => ({ rawQuery }));
  });

  test.each(named.filter(({ operation }) => idsOf(operation).length > 0))("paths of $name", async (one) => {
    const ids = idsOf(one.operation);
    const part = fc.tuple(fc.constantFrom(...ids), randomPathPart);
    await tryAll(await aimAt(stage, one), part, ([name, value]) => ({ rawParams: { [name]: value } }));
  });
});

/** Ids that exist: those of the place, and the other company's. */
const idsIn = ({ stage, there }: Target): string[] => [...Object.values(there.place.params), stage.world.elsewhere];

/** Tries random inputs in batches; a batch that fails is made smaller until it holds only what is needed to fail. */
async function tryAll<T>(target: Target, inputs: fc.Arbitrary<T>, toInput: (value: T) => Input): Promise<void> {
  const batch = fc.array(inputs, { minLength: 1, maxLength: inputsAtOnce, size: "max" });
  const property = fc.asyncProperty(batch, (values) => tryBatch(target, values.map(toInput)));
  await fc.assert(property, { seed, numRuns: (2 * inputsEach) / inputsAtOnce });
}
