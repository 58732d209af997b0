export { issueHandlers } from "./handlers.ts";
export { issueLocatable } from "./locatable.ts";
export { presentIssue } from "./present.ts";
export { getReferredIssues, type IssueReference } from "./reference-store.ts";
export { releaseCheckouts } from "./release-checkouts.ts";
export { getIssue, type IssueRow, issueColumns } from "./store.ts";
export { issues } from "./table.ts";
