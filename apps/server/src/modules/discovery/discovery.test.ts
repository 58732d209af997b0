import { knownSettings, promptVariables, runEnvironment } from "@roster/adapter";
import { adapterSpecs, findAdapterSpec } from "@roster/adapters/specs";
import { agentIcons, agentProposal, env } from "@roster/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { adapterText } from "./adapter-text.ts";
import { agentConfigurationText } from "./agent-configuration-text.ts";
import { documentPaths } from "./document-source.ts";
import { cutExample } from "./example-fence.ts";
import { fieldReference } from "./field-reference.ts";
import { iconsText } from "./icons-text.ts";
import { indexText } from "./index-text.ts";

const source = { baseUrl: "http://127.0.0.1:3100", specs: adapterSpecs };
const general = agentConfigurationText(source);
const texts = [general, ...adapterSpecs.map((spec) => adapterText(source, spec.type) ?? "")];

function expectValidHire(text: string) {
  const body = agentProposal.parse(cutExample(text));
  const settings = findAdapterSpec(body.adapterType)?.settings;
  expect(settings?.safeParse(body.adapterConfig).error).toBeUndefined();
  expect(body.runtimeConfig.heartbeat.enabled).toBe(false);
  return body;
}

describe("the general document", () => {
  it("holds a valid hire request", () => {
    expectValidHire(general);
  });

  it("has a line for every field of the request", () => {
    const nested = ["instructionsBundle.entryFile", "instructionsBundle.files"];
    for (const path of [...knownSettings({ settings: agentProposal }), ...nested]) {
      expect(general).toContain(`\n- ${path} (`);
    }
  });

  it("states limits, defaults and descriptions of the schema", () => {
    expect(general).toContain("- runtimeConfig.heartbeat.intervalSec (integer, 10 to 2592000; optional): Seconds");
    expect(general).toContain("- name (string, 1 to 200 characters; required)");
    expect(general).toMatch(/- instructionsBundle\.entryFile \(string, 1 to 500 characters; default "AGENTS\.md"\)/);
  });

  it("names every adapter and where its document is", () => {
    for (const spec of adapterSpecs) {
      expect(general).toContain(`- ${spec.type} (`);
      expect(general).toContain(source.baseUrl + documentPaths.adapter(spec.type));
    }
  });

  it("says how to send the request and what follows", () => {
    expect(general).toContain(`${source.baseUrl}/api/companies/$${env("COMPANY_ID")}/agent-hires`);
    for (const name of ["API_KEY", "APPROVAL_ID", "APPROVAL_STATUS", "LINKED_ISSUE_IDS"]) {
      expect(general).toContain(env(name));
    }
  });

  it("can be made without an adapter", () => {
    expect(agentConfigurationText({ ...source, specs: [] })).toContain("No adapter is installed");
  });
});

describe.each(adapterSpecs.map((spec) => [spec.type, spec] as const))("the document of %s", (type, spec) => {
  const text = adapterText(source, type) ?? "";

  it("holds a valid hire request for it", () => {
    const body = expectValidHire(text);
    expect(body.adapterType).toBe(type);
    expect(body.adapterConfig).toEqual(spec.example);
  });

  it("has a line for every setting, with its description", () => {
    for (const path of knownSettings(spec)) expect(text).toContain(`\n- adapterConfig.${path} (`);
    for (const field of Object.values(spec.settings.shape)) {
      expect(text).toContain((field as { description?: string }).description);
    }
  });

  it("has every note, every variable of a run and of the prompt", () => {
    for (const note of spec.notes) expect(text).toContain(note);
    for (const { name } of runEnvironment) expect(text).toContain(name);
    for (const name of Object.keys(promptVariables)) expect(text).toContain(`{{${name}}}`);
  });

  it("leads back to the general document", () => {
    expect(text).toContain(source.baseUrl + documentPaths.agentConfiguration);
  });
});

it("an unknown adapter has no document", () => {
  expect(adapterText(source, "nothing_local")).toBeNull();
  expect(adapterText(source, "constructor")).toBeNull();
});

it("the icons are listed one a line, all of them and nothing else", () => {
  const names = iconsText()
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(names).toEqual([...agentIcons]);
  for (const icon of agentIcons) expect(general).toContain(icon);
});

it("the index leads to every document", () => {
  const index = indexText(source);
  const paths = [
    documentPaths.agentConfiguration,
    documentPaths.icons,
    ...adapterSpecs.map((spec) => documentPaths.adapter(spec.type)),
  ];
  for (const path of paths) expect(index).toContain(`(${source.baseUrl}${path})`);
});

it("documents are whole: no gap from a missing value, one end of line at the end, no doubled slash", () => {
  const slashed = { ...source, baseUrl: `${source.baseUrl}/` };
  for (const text of [...texts, iconsText(), indexText(slashed), agentConfigurationText(slashed)]) {
    expect(text).not.toMatch(/undefined|\[object|NaN/);
    expect(text).toMatch(/[^\n]\n$/);
    expect(text).not.toContain(":3100//");
  }
});

it("a document without example is refused by the one who cuts it", () => {
  expect(() => cutExample(iconsText())).toThrow(/no example/);
});

describe("the field reference", () => {
  const lines = (schema: z.ZodType) => fieldReference(schema).split("\n");

  it("puts what is required first", () => {
    expect(lines(z.object({ b: z.boolean().optional(), a: z.boolean() }))).toEqual([
      "- a (boolean; required)",
      "- b (boolean; optional)",
    ]);
  });

  it("writes out schemas that have a name of their own", () => {
    const named = z.strictObject({ x: z.int().max(3) }).meta({ id: "DiscoveryTestNamed" });
    expect(lines(z.object({ one: named, two: named.nullable() }))).toEqual([
      "- one (object, see below; required)",
      "- one.x (integer, at most 3; required)",
      "- two (object, see below, or null; required)",
      "- two.x (integer, at most 3; required)",
    ]);
  });

  it("ends recursion", () => {
    const tree: z.ZodType = z.object({ children: z.array(z.lazy(() => tree)) });
    expect(lines(z.object({ tree, json: z.json() }))).toEqual([
      "- tree (any JSON value; required)",
      "- json (any JSON value; required)",
    ]);
  });

  it.each([
    [z.int(), "integer"],
    [z.number().min(0), "number, at least 0"],
    [z.array(z.string()).min(1), "array, at least 1 items, each: string"],
    [z.record(z.string(), z.string()), "object, each value: string"],
    [z.literal("x"), '"x"'],
    [z.uuid().nullable(), "string (uuid), or null"],
    [z.union([z.string(), z.object({ a: z.string().optional() })]), 'string, or object { "a"?: string }'],
  ])("puts a type into words: %#", (schema, words) => {
    expect(lines(z.object({ it: schema }))).toEqual([`- it (${words}; required)`]);
  });
});
