import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/*/{src,test}/**/*.test.ts",
      "apps/*/{src,test}/**/*.test.ts",
      "test/**/*.test.ts",
      "chaos/*.test.ts",
    ],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes on a slow machine too; what does not come is a failure, however late it is told.
    expect: { poll: { timeout: 25_000 } },
    pool: "forks",
    globalSetup: ["./test/global-setup.ts"],
    reporters: ["default", "./scripts/closing-line.mjs"],
  },
});
