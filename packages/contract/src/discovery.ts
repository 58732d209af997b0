import { operations } from "./operation.ts";

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
