import type { Adapter } from "@roster/client";
import { expect, test } from "vitest";
import { offeredAdapters, proposedAdapter } from "./offered-adapters.ts";

const adapter = (type: string, parts: Partial<Adapter>): Adapter => ({
  type,
  title: type,
  description: "",
  notes: [],
  settings: {},
  install: "npm install",
  found: null,
  ...parts,
});
const noLogin = { severity: "warning", message: "No login was found." } as const;
const missing = adapter("missing", {});
const command = adapter("command", { install: null });
const lacking = adapter("lacking", { found: { version: "1.0", findings: [noLogin] } });
const ready = adapter("ready", { found: { version: "2.0", findings: [] } });

test("what works at once is offered first, what has to be installed last", () => {
  const offered = offeredAdapters([missing, command, lacking, ready]);
  expect(offered.map(({ type }) => type)).toEqual(["ready", "lacking", "command", "missing"]);
});

test("what works at once is proposed, and nothing where something is missing", () => {
  expect(proposedAdapter([missing, lacking, ready])).toBe("ready");
  expect(proposedAdapter([missing, command, lacking])).toBeNull();
});
