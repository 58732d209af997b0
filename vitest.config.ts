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
    pool: "forks",
    globalSetup: ["./test/global-setup.ts"],
    reporters: ["default", "./scripts/closing-line.mjs"],
  },
});
