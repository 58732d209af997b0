import { allOperations } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Aviary } from "./canary/aviary.ts";
import { canaryForms, harmless } from "./canary/canaries.ts";
import { dumpOf } from "./canary/dump.ts";
import { type Garden, gardenOf, plantEverywhere } from "./canary/planting.ts";
import { readAround } from "./canary/reading.ts";
import { mayCall } from "./sweep/caller-kinds.ts";
import { type Stage, startStage } from "./sweep/start-world.ts";
import { localBoard, ruleOf } from "./sweep/world.ts";

// What a runner tells it has cleaned before: the values that it was given to keep, not what looks like a secret.
const withBody = allOperations().filter(({ operation }) => operation.body !== undefined && !ruleOf(operation).runner);
const mostShown = 20;

describe("a secret that is sent anywhere", () => {
  const aviary = new Aviary();
  const gardens: Garden[] = [];
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage.close());

  test.each(withBody.map((named) => [named.name, named] as const))(
    "in the body of %s is refused, or taken where secrets may stand, and not shown",
    async (_, named) => {
      const isForAgents = ruleOf(named.operation).board === "never";
      const agent = stage.cast.find((one) => one.about === "own" && one.actor.agent && mayCall(one, named))?.actor;
      const caller = isForAgents ? agent : localBoard;
      const garden = await gardenOf(stage.world, named, caller ?? expect.fail("the cast has no agent"));
      gardens.push(garden);
      const faults = await plantEverywhere(stage.world, garden, aviary);
      expect(faults.slice(0, mostShown)).toEqual([]);
    },
    120_000,
  );

  test("is in no answer to a read", async () => {
    const texts = await readAround(stage.world, gardens);
    expect(texts.length).toBeGreaterThan(gardens.length);
    expect(texts.flatMap((text) => aviary.traces(text)).slice(0, mostShown)).toEqual([]);
  });

  test("is in no row of any table: in no dump of the database, its bytes decoded", async () => {
    expect(aviary.traces(await dumpOf(stage.world.server)).slice(0, mostShown)).toEqual([]);
  });

  test("is in no line of the server's log", () => {
    expect(aviary.traces(stage.world.server.logged.join("\n")).slice(0, mostShown)).toEqual([]);
  });

  test("would be found: in an answer, in a table, and in every encoding that is looked for", async () => {
    const text = aviary.release({ write: harmless }, "a description");
    const name = "Found";
    const company = await stage.world.server.board.companies.create({ body: { name, description: text } });
    const answered = await readAround(stage.world, [
      { actor: localBoard, place: { companyId: company.id, params: {} } },
    ]);
    const stored = await dumpOf(stage.world.server);
    for (const place of [answered.join("\n"), stored]) expect(aviary.traces(place)[0]).toContain("a description");
    for (const form of canaryForms) {
      const secret = `before ${aviary.release(form, form.name)} after`;
      const bytes = Buffer.from(secret);
      const encodings = ["utf8", "hex", "base64", "base64url"] as const;
      const written = [...encodings.map((encoding) => bytes.toString(encoding)), encodeURIComponent(secret)];
      for (const shift of ["", "x", "xy"]) written.push(Buffer.from(shift + secret).toString("base64"));
      for (const one of [...written, secret.toLowerCase()]) expect(aviary.traces(one)).not.toEqual([]);
    }
  });
});
