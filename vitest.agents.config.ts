// The real programs of agents, driven by a scripted model: `npm run test:agents`. They are large and come from the npm
// registry, so they are no part of `npm test`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/*.story.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    pool: "forks",
    fileParallelism: false,
    globalSetup: ["./test/agents/install.ts"],
    reporters: ["verbose", "./scripts/closing-line.mjs"],
  },
});
