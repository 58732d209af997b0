import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/longest-first.mjs";

const shared = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // What is waited for comes on a slow machine too; what does not come is a failure, however late it is told.
  expect: { poll: { timeout: 25_000 } },
  pool: "forks" as const,
  globalSetup: ["./test/global-setup.ts"],
};

/** Tests of what a server does with a machine of its own: in time, under load, or when its database dies. */
const alone = [
  "apps/server/src/platform/secrets/linear-time.test.ts",
  "apps/server/src/modules/dispatch/long-poll.test.ts",
  "apps/server/test/{budget-storm,canary-output,database-kill,hire-storm,key-rotation,metrics,overload,rate-limit}.test.ts",
];

export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing-line.mjs"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: "parts",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "apps/server/test/**/*.test.ts"],
          exclude: alone,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Whole products, browsers and programs, one after the other: each of these takes a machine.
        test: {
          ...shared,
          name: "whole",
          include: [
            "packages/*/test/**/*.test.ts",
            "apps/{launcher,runner,web}/test/**/*.test.ts",
            "test/**/*.test.ts",
            "chaos/*.test.ts",
            ...alone,
          ],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
