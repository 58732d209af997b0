const instructions = [
  "You are a software engineer. You own the checkout service.",
  "",
  "1. GET /api/agents/me to see who you are and what is yours.",
  "2. Check out one issue, do it, run its tests.",
  "3. Comment what you did and how you know that it works, then set its status.",
  "",
].join("\n");

/** The body that creates an agent as people have them: a program with settings, environment and instructions. */
export const typicalAgent = (name: string) => ({
  name,
  role: "engineer",
  title: "Software engineer",
  icon: "code" as const,
  capabilities: "Owns the checkout service: code, tests and releases.",
  adapterType: "claude_local",
  adapterConfig: {
    cwd: "/srv/checkout",
    model: "sonnet",
    env: { LOG_LEVEL: "info", HTTP_PROXY: "http://proxy.internal:3128", GIT_AUTHOR_NAME: "Checkout" },
    timeoutSec: 3600,
  },
  instructionsBundle: { entryFile: "AGENTS.md", files: { "AGENTS.md": instructions } },
  runtimeConfig: { heartbeat: { enabled: false, wakeOnDemand: true } },
  budgetMonthlyCents: 5000,
});
