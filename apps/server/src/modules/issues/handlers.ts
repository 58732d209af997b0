import type { Contract } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import { listComments, presentComment } from "../comments/index.ts";
import { changeIssue } from "./change-issue.ts";
import { checkOutIssue } from "./check-out-issue.ts";
import { commentOnIssue } from "./comment-on-issue.ts";
import { createIssue } from "./create-issue.ts";
import { presentIssue, versionedIssue } from "./present.ts";
import { releaseIssue } from "./release-issue.ts";
import { searchPattern } from "./searchable-text.ts";
import { getIssue, listIssues } from "./store.ts";

/** Operations on issues and their comments. */
export const issueHandlers: HandlersOf<Contract["issues"]> = {
  list: async (scope, { query: { limit, cursor, q, ...which } }) => {
    const rows = await listIssues(scope, {
      limit: limit + 1,
      before: decodeCursor(cursor, isId),
      search: q === undefined ? undefined : searchPattern(q),
      ...which,
    });
    return pageOf(rows, limit, (row) => row.id, presentIssue);
  },
  create: async (change, { body }) => versionedIssue(await createIssue(change, body)),
  get: async (scope, { params }) => versionedIssue(await getIssue(scope, params.issueId)),
  change: async (change, { params, body, ifMatch }) =>
    versionedIssue(await changeIssue(change, { issueId: params.issueId, ifMatch }, body)),
  checkout: async (change, { params, body, ifMatch }) =>
    versionedIssue(await checkOutIssue(change, { issueId: params.issueId, ifMatch }, body)),
  release: async (change, { params, ifMatch }) =>
    versionedIssue(await releaseIssue(change, { issueId: params.issueId, ifMatch })),
  listComments: async (scope, { params: { issueId }, query: { limit, cursor } }) => {
    const rows = await listComments(scope, { issueId }, { limit: limit + 1, after: decodeCursor(cursor, isId) });
    if (rows.length === 0) await getIssue(scope, issueId);
    return pageOf(rows, limit, (row) => row.id, presentComment);
  },
  addComment: async (change, { params, body }) =>
    presentComment(await commentOnIssue(change, params.issueId, body.body)),
};
