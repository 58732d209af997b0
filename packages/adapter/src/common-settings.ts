import { z } from "zod";
import { environmentEntries } from "./environment-entries.ts";

const weekSec = 604_800;

const seconds = (atLeast: number, atMost: number) =>
  z
    .int()
    .min(atLeast, `must be at least ${atLeast}; there is no "unlimited", leave it out for the default`)
    .max(atMost);

const runnerChoice = z.looseObject({
  labels: z
    .array(
      z
        .string()
        .max(64)
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
    )
    .max(20)
    .default([])
    .describe("Only a runner that carries all of these labels takes the agent's runs"),
});

/** Settings that every adapter has. An adapter extends them; where one means something else there, it says so. */
export const commonSettings = z.looseObject({
  cwd: z
    .string()
    .max(4096)
    .regex(/^\//, "must be an absolute path")
    .refine((path) => !path.includes("\u0000"), "must not contain a NUL character")
    .optional()
    .describe(
      "Absolute path of the working folder on the runner's machine; without it the agent has a folder of its own",
    ),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Model the program is asked to use; without it the program's own default"),
  promptTemplate: z
    .string()
    .min(1)
    .max(65_536)
    .optional()
    .describe(
      "Prompt of every run, with {{variables}}; without it a short text that names the agent and why it was woken",
    ),
  env: environmentEntries
    .default({})
    .describe("Environment of the program, at most 200 entries; the only place for secrets"),
  timeoutSec: seconds(1, weekSec).default(14_400).describe("Longest time a run may take before it is ended"),
  graceSec: seconds(0, 600).default(10).describe("Time between the request to end and being killed"),
  startTimeoutSec: seconds(1, 3600)
    .default(60)
    .describe("Longest time to prepare a run (folder, files, skills) and get its program started"),
  silenceTimeoutSec: seconds(1, weekSec)
    .default(1800)
    .describe("Longest time without any output before the run is ended"),
  runner: runnerChoice.optional().describe("Which runners may take the agent's runs; without it any"),
});
/** The common settings with defaults applied. */
export type CommonSettings = z.infer<typeof commonSettings>;
