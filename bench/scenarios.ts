import type { Scenario } from "./scenario.ts";
import { approval } from "./scenarios/approval.ts";
import { comment } from "./scenarios/comment.ts";
import { configuration } from "./scenarios/configuration.ts";
import { createAgent } from "./scenarios/create-agent.ts";
import { createIssue } from "./scenarios/create-issue.ts";
import { decide } from "./scenarios/decide.ts";
import { hire } from "./scenarios/hire.ts";
import { listActivity } from "./scenarios/list-activity.ts";
import { listAgents } from "./scenarios/list-agents.ts";
import { listIssues } from "./scenarios/list-issues.ts";
import { me, meInRun } from "./scenarios/me.ts";

/** Everything that is measured under load, in the order of the report. */
export const scenarios: readonly Scenario[] = [
  me,
  meInRun,
  listAgents,
  listIssues,
  listActivity,
  approval,
  configuration,
  createAgent,
  hire,
  decide,
  createIssue,
  comment,
];
