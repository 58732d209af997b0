import { expect, test } from "vitest";
import { adaptersIn } from "./adapters-in.ts";

test("the adapters are those that the document lists", () => {
  const document = [
    "## Rules",
    "- icon: (one) of: these http://x/llms/agent-icons.txt",
    "## Adapters",
    "",
    "adapterType names one of these:",
    "",
    "- process (Command): Runs any program. http://x/llms/agent-configuration/process.txt",
    "- claude_local (Claude Code): Runs Claude Code (claude). http://x/llms/agent-configuration/claude_local.txt",
  ].join("\n");
  expect(adaptersIn(document)).toEqual([
    { type: "process", title: "Command", description: "Runs any program." },
    { type: "claude_local", title: "Claude Code", description: "Runs Claude Code (claude)." },
  ]);
  expect(adaptersIn("nothing of the kind")).toEqual([]);
});
