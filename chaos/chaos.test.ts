import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createChaos } from "./chaos.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const seconds = 20;
const seed = 1;

test("P5, P7, P8: whatever is killed, stopped and cut on two servers and two runners, nothing is lost, doubled or left", async () => {
  const { findings, faults, counts } = await createChaos({ root, seconds, seed, tell: () => undefined });
  const again = `npm run chaos -- --minutes ${seconds / 60} --seed ${seed}`;
  expect(findings, `${again} breaks the same things:\n${faults.join("\n")}\n${counts}`).toEqual([]);
}, 600_000);
