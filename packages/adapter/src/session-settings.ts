import { z } from "zod";

/** After so many runs on one conversation the next starts anew, unless the settings say otherwise. */
export const usualSessionRuns = 20;

/** Settings of adapters whose programs can go on with a conversation. */
export const sessionSettings = {
  resumeSession: z
    .boolean()
    .default(true)
    .describe("Go on with the conversation of the agent's last run on the same issue; false starts each run anew"),
  maxSessionRuns: z
    .int()
    .min(1)
    .max(10_000)
    .default(usualSessionRuns)
    .describe("Most runs that go on with one conversation, which grows with each; the next one starts anew"),
};
