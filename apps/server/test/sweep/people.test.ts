import { allOperations } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sentencesOf } from "./finding.ts";
import { type Stage, startPeopleStage } from "./start-world.ts";
import { sweepCallers } from "./sweep-operation.ts";

const patienceMs = 120_000;

describe("authenticated mode: every operation, whoever calls", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startPeopleStage();
  });
  afterAll(() => stage.close());

  // It ends the session that the caller has for all calls; authenticated.test.ts tries it.
  const endsSession = "auth.signOut";
  for (const named of allOperations().filter(({ name }) => name !== endsSession)) {
    test(
      named.name,
      async () => {
        expect(sentencesOf(await sweepCallers(stage, named))).toEqual([]);
      },
      patienceMs,
    );
  }
});
