/** Every table, for the tool that writes the migrations. */
export { accounts, rateLimits, sessions, users } from "./modules/accounts/table.ts";
export { agentKeys } from "./modules/agent-keys/table.ts";
export { agentChecks, agentRevisions, agents, timers } from "./modules/agents/table.ts";
export { approvalIssues, approvalPayloads, approvals } from "./modules/approvals/table.ts";
export { attention } from "./modules/attention/table.ts";
export { spend } from "./modules/budgets/table.ts";
export { comments } from "./modules/comments/table.ts";
export { companies, memberships } from "./modules/companies/table.ts";
export { costDays, costEvents } from "./modules/costs/table.ts";
export { issueCounters, issues, issueTexts } from "./modules/issues/table.ts";
export { invitations } from "./modules/members/table.ts";
export { runnerPrograms, runnerSightings, runners } from "./modules/runners/table.ts";
export { agentSessions, leases, outputRetention, runEvents, runs, wakes } from "./modules/runs/table.ts";
export { secrets, secretVersions } from "./modules/secrets/table.ts";
export { skillFiles, skills, skillVersions } from "./modules/skills/table.ts";
export { activity, activityHeads } from "./platform/activity/index.ts";
export { idempotencyKeys } from "./platform/http/table.ts";
export { instance } from "./platform/instance.ts";
