import { z } from "zod";
import { checkFinding } from "./agents.ts";
import { json } from "./fields.ts";
import { operations } from "./operation.ts";

const adapter = z
  .object({
    type: z.string().describe("What adapterType of an agent names"),
    title: z.string(),
    description: z.string(),
    notes: z.array(z.string()).describe("What its settings alone do not say"),
    settings: json.describe("JSON Schema of adapterConfig"),
    install: z
      .string()
      .nullable()
      .describe("How its program is installed where a runner is; null where none has to be"),
    found: z
      .object({
        version: z.string().nullable().describe("What the program says of itself; null where it says none"),
        findings: z.array(checkFinding).describe("What is still missing, such as a login; empty when nothing is"),
      })
      .nullable()
      .describe("Of a runner that takes the runs of all companies; null where none of them has the program"),
  })
  .meta({ id: "Adapter" });
/** A kind of program that agents can be, and whether a runner has found it. */
export type Adapter = z.infer<typeof adapter>;

/** Plain-text documents that tell an agent how to work, and how to hire and configure agents. */
export const discovery = operations({
  index: {
    method: "GET",
    path: "/llms.txt",
    summary: "What documents there are",
    may: "discovery.read",
    answer: { kind: "text" },
  },
  agentConfiguration: {
    method: "GET",
    path: "/llms/agent-configuration.txt",
    summary: "How to hire an agent, and every field of it",
    may: "discovery.read",
    answer: { kind: "text" },
  },
  adapter: {
    method: "GET",
    path: "/llms/agent-configuration/:adapterType.txt",
    summary: "Settings of one adapter",
    may: "discovery.read",
    answer: { kind: "text" },
    refusals: ["not_found"],
  },
  adapters: {
    method: "GET",
    path: "/api/adapters",
    summary: "Kinds of programs that agents can be, with their settings, and those that runners have found",
    may: "discovery.read",
    answer: {
      kind: "record",
      schema: z.object({
        adapters: z.array(adapter),
        looked: z.boolean().describe("A runner has told what it found; false while none has"),
      }),
    },
  },
  agentWork: {
    method: "GET",
    path: "/llms/agent-work.txt",
    summary: "How an agent works: issues, comments, questions to the board, costs",
    may: "discovery.read",
    answer: { kind: "text" },
  },
  icons: {
    method: "GET",
    path: "/llms/agent-icons.txt",
    summary: "Allowed icon names, one a line",
    may: "discovery.read",
    answer: { kind: "text" },
  },
});
