import { expect, test } from "vitest";
import {
  changeBetween,
  conflictsBetween,
  type Draft,
  draftDifferences,
  mergePatchBetween,
  rebased,
} from "./agent-draft.ts";

const agent: Draft = {
  name: "Ada",
  role: "engineer",
  title: "Engineer",
  icon: null,
  reportsTo: null,
  capabilities: null,
  budgetMonthlyCents: 2000,
  permissions: { canCreateAgents: false, canManageSkills: false, canAssignTasks: false },
  runtimeConfig: { heartbeat: { enabled: true, intervalSec: 60 }, maxConcurrentRuns: 1 },
  adapterType: "process",
  adapterConfig: { command: "node a.mjs", env: { LANG: "C", KEY: { type: "plain", value: "x" } } },
  instructionsBundle: { entryFile: "AGENTS.md", files: { "AGENTS.md": "one\ntwo\n", "notes.md": "n\n" } },
};

test("nothing that was typed is no change", () => {
  expect(changeBetween(agent, structuredClone(agent))).toEqual({});
  expect(draftDifferences(agent, structuredClone(agent))).toEqual({ values: [], texts: [] });
});

test("only what differs is sent: settings as what is merged, what is gone as null, instructions as a whole", () => {
  const changed = {
    ...agent,
    title: null,
    runtimeConfig: { heartbeat: { enabled: false }, maxConcurrentRuns: 1 },
    adapterConfig: { command: "node a.mjs", env: { LANG: "C" }, timeoutSec: 5 },
    instructionsBundle: { entryFile: "AGENTS.md", files: { "AGENTS.md": "one\n" } },
  };
  expect(changeBetween(agent, changed)).toEqual({
    title: null,
    runtimeConfig: { heartbeat: { enabled: false, intervalSec: null } },
    adapterConfig: { env: { KEY: null }, timeoutSec: 5 },
    instructionsBundle: changed.instructionsBundle,
  });
});

test("with another adapter its settings are sent whole", () => {
  const changed = { ...agent, adapterType: "http", adapterConfig: { url: "https://example.com" } };
  expect(changeBetween(agent, changed)).toEqual({ adapterType: "http", adapterConfig: { url: "https://example.com" } });
});

test("a merge patch says what is gone and leaves out what is the same", () => {
  expect(mergePatchBetween({ a: 1, b: { c: 1, d: 2 }, e: [1] }, { b: { c: 1, d: 3 }, e: [1, 2] })).toEqual({
    a: null,
    b: { d: 3 },
    e: [1, 2],
  });
});

test("texts are told line by line, a file with a dot in its name too", () => {
  const files = { "AGENTS.md": "one\nthree\n", "notes.md": "n\n" };
  const { values, texts } = draftDifferences(agent, {
    ...agent,
    instructionsBundle: { entryFile: "AGENTS.md", files },
  });
  expect(values.map(({ path }) => path)).toEqual(["instructionsBundle.files.AGENTS.md"]);
  expect(texts.map(({ unified }) => unified)).toEqual([" one\n-two\n+three"]);
});

test("what others changed elsewhere stays, what was typed comes on top, and where both did one chooses", () => {
  const theirs = { ...agent, name: "Eve", title: "Theirs", adapterConfig: { ...agent.adapterConfig, timeoutSec: 9 } };
  const mine = { ...agent, title: "Mine", adapterConfig: { ...agent.adapterConfig, model: "small" } };
  const { meanwhile, conflicts } = conflictsBetween(agent, theirs, mine);
  expect(meanwhile.map(({ path }) => path)).toEqual(["name", "title", "adapterConfig.timeoutSec"]);
  expect(conflicts).toMatchObject([{ name: "title", before: "Engineer", theirs: "Theirs", mine: "Mine" }]);
  const drafts = { before: agent, theirs, mine };
  const both = { ...theirs.adapterConfig, model: "small" };
  expect(rebased(drafts, new Set())).toEqual({ ...theirs, title: "Mine", adapterConfig: both });
  const kept = new Set(conflicts.map(({ key }) => key));
  expect(rebased(drafts, kept)).toEqual({ ...theirs, title: "Theirs", adapterConfig: both });
});

test("what was removed stays removed over what others did, and what may be empty is emptied", () => {
  const { env: _, ...withoutEnv } = agent.adapterConfig;
  const mine = { ...agent, title: null, adapterConfig: withoutEnv, instructionsBundle: null };
  const theirs = { ...agent, name: "Eve" };
  const merged = rebased({ before: agent, theirs, mine }, new Set());
  expect(merged).toMatchObject({ name: "Eve", title: null, adapterConfig: { command: "node a.mjs" } });
  expect(changeBetween(theirs, merged)).toMatchObject({ title: null });
});
