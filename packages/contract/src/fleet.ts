import { z } from "zod";
import { id, idOf, name, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** States of a runner; a removed one is kept for the runs it executed, and its token is dead. */
export const runnerStatuses = ["active", "draining", "stopped", "removed"] as const;

/** What executes runs, as those see it who run the deployment. */
export const runner = z
  .object({
    id,
    name: z.string(),
    status: z.enum(runnerStatuses),
    companyIds: z.array(id).nullable().describe("The companies whose runs it takes; null for all"),
    labels: z.array(z.string()).describe("Those it carried when it last asked for work"),
    lastSeenAt: time.nullable().describe("When it last asked for work, to within five seconds; null for never"),
    runsUnderWay: z.int(),
    createdAt: time,
  })
  .meta({ id: "Runner" });
/** A runner as the API answers it. */
export type FleetRunner = z.infer<typeof runner>;

const registered = runner.extend({
  token: z
    .string()
    .nullable()
    .describe("What the runner calls with, shown this once; null when a late replay can no longer show it"),
});

/** Operations on the runners of a deployment. */
export const fleet = operations({
  list: {
    method: "GET",
    path: "/api/runners",
    summary: "Runners of the deployment, newest first, without those that were removed",
    may: "runner.manage",
    query: pageQuery({}),
    answer: { kind: "page", schema: runner },
  },
  register: {
    method: "POST",
    path: "/api/runners",
    summary: "Register a runner; its token is shown this once",
    may: "runner.manage",
    body: z.strictObject({
      name,
      companyIds: z
        .array(idOf("company"))
        .min(1)
        .max(200)
        .nullable()
        .default(null)
        .describe("It takes the runs of these companies only; null for all"),
    }),
    answer: { kind: "created", schema: registered, at: "/api/runners/:id" },
    refusals: ["unknown_reference"],
    revealsOnce: "token",
  },
  get: {
    method: "GET",
    path: "/api/runners/:runnerId",
    summary: "Read one runner",
    may: "runner.manage",
    answer: { kind: "record", schema: runner },
  },
  drain: {
    method: "POST",
    path: "/api/runners/:runnerId/drain",
    summary: "Give a runner no more runs; what it runs goes on to its end",
    may: "runner.manage",
    answer: { kind: "record", schema: runner },
    refusals: ["wrong_state"],
  },
  stop: {
    method: "POST",
    path: "/api/runners/:runnerId/stop",
    summary: "Give a runner no more runs and end those it has; they are queued again for others",
    may: "runner.manage",
    answer: { kind: "record", schema: runner },
    refusals: ["wrong_state"],
  },
  resume: {
    method: "POST",
    path: "/api/runners/:runnerId/resume",
    summary: "Give a runner runs again",
    may: "runner.manage",
    answer: { kind: "record", schema: runner },
    refusals: ["wrong_state"],
  },
  remove: {
    method: "DELETE",
    path: "/api/runners/:runnerId",
    summary: "Remove a runner that runs nothing: its token is dead from the commit on",
    may: "runner.manage",
    answer: { kind: "nothing" },
    refusals: ["wrong_state"],
  },
});

/** The deployment as a whole. */
export const deployment = z
  .object({
    status: z.enum(["running", "stopped"]).describe("stopped: no run starts, and those under way are ended"),
    stoppedAt: time.nullable(),
    runsUnderWay: z.int(),
  })
  .meta({ id: "Deployment" });
/** The deployment as the API answers it. */
export type Deployment = z.infer<typeof deployment>;

/** Operations on the deployment as a whole. */
export const instance = operations({
  get: {
    method: "GET",
    path: "/api/instance",
    summary: "Whether runs start, and how many are under way",
    may: "runner.manage",
    answer: { kind: "record", schema: deployment },
  },
  stop: {
    method: "POST",
    path: "/api/instance/stop",
    summary: "Start no run any more, in any company, and end those under way; they are queued again",
    may: "runner.manage",
    answer: { kind: "record", schema: deployment },
  },
  resume: {
    method: "POST",
    path: "/api/instance/resume",
    summary: "Let runs start again",
    may: "runner.manage",
    answer: { kind: "record", schema: deployment },
  },
});
