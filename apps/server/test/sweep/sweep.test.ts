import { allOperations } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sentencesOf } from "./finding.ts";
import { type Stage, startStage } from "./start-world.ts";
import { sweepOperation } from "./sweep-operation.ts";

// An operation takes about a second; machines that do other things meanwhile take longer.
const patienceMs = 120_000;

describe("every operation, every kind of caller, good and bad input", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage.close());

  for (const named of allOperations()) {
    test(
      named.name,
      async () => {
        expect(sentencesOf(await sweepOperation(stage, named))).toEqual([]);
      },
      patienceMs,
    );
  }
});
