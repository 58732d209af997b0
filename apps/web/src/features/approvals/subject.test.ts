import { expect, test } from "vitest";
import { subjectOf } from "./subject.ts";

test.each([
  [
    "hire_agent",
    { name: "Nova", role: "engineer", title: "Engineer of greetings" },
    "Hire Nova, Engineer of greetings",
  ],
  ["hire_agent", { name: "Nova", role: "engineer", title: null }, "Hire Nova, engineer"],
  ["config_change", { agentName: "Ada" }, "Change Ada"],
  ["budget_override", { agentId: null }, "Larger budget for the company"],
  ["board_request", { title: "A bigger machine" }, "A bigger machine"],
] as const)("a question is said in a line: %s %o", (type, payload, said) => {
  expect(subjectOf({ type, payload })).toBe(said);
});
