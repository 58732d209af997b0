import type { Contract, Decision } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import { checkOf } from "../agents/index.ts";
import { listComments, presentComment } from "../comments/index.ts";
import { getIssue, presentIssue } from "../issues/index.ts";
import { askBoard } from "./ask-board.ts";
import { commentOnApproval } from "./comment-on-approval.ts";
import { decideApproval } from "./decide-approval.ts";
import type { Verdict } from "./decision.ts";
import type { EffectsByType } from "./effects.ts";
import { linkIssue, unlinkIssue } from "./link-issue.ts";
import { payloadDiff, payloadVersions } from "./payload-versions.ts";
import { presentApproval, presentPayload, versionedApproval } from "./present.ts";
import { resubmitApproval } from "./resubmit-approval.ts";
import { getApproval, listApprovals, listLinkedApprovals, listLinkedIssues } from "./store.ts";

interface DecisionInput {
  readonly params: { readonly approvalId: string };
  readonly body: Decision;
  readonly ifMatch: number | null;
}

/** Operations on approvals; `effects` says what decisions do, by type. */
export function approvalHandlers(effects: EffectsByType): HandlersOf<Contract["approvals"]> {
  const deciding =
    (verdict: Verdict) =>
    async (change: Change, { params, body, ifMatch }: DecisionInput) => {
      const seen = { ifMatch, payloadDigest: body.payloadDigest };
      const ruling = { approvalId: params.approvalId, verdict, note: body.decisionNote, seen };
      return versionedApproval(await decideApproval(change, effects, ruling));
    };
  return {
    ...reading,
    ...linking,
    request: async (change, { body }) => versionedApproval(await askBoard(change, effects, body)),
    approve: deciding("approve"),
    reject: deciding("reject"),
    requestRevision: deciding("request-revision"),
    cancel: deciding("cancel"),
    resubmit: async (change, { params, body, ifMatch }) => {
      const wish = { approvalId: params.approvalId, patch: body.payload ?? {}, ifMatch };
      return versionedApproval(await resubmitApproval(change, effects, wish));
    },
    comment: async (change, { params, body }) =>
      presentComment(await commentOnApproval(change, params.approvalId, body.body)),
  };
}

type Reading = "list" | "get" | "listVersions" | "diff" | "listIssues" | "listComments" | "listOfIssue";

const reading: Pick<HandlersOf<Contract["approvals"]>, Reading> = {
  list: async (scope, { query: { limit, cursor, status, type } }) => {
    const rows = await listApprovals(scope, { limit: limit + 1, before: decodeCursor(cursor, isId), status, type });
    return pageOf(rows, limit, (row) => row.id, presentApproval);
  },
  get: async (scope, { params }) => {
    const row = await getApproval(scope, params.approvalId);
    const { version, body } = versionedApproval(row);
    return { version, body: { ...body, check: row.agentId === null ? null : await checkOf(scope, row.agentId) } };
  },
  listVersions: async (scope, { params, query: { limit, cursor } }) => {
    const key = decodeCursor(cursor, (text) => /^\d{1,9}$/.test(text));
    const page = { approvalId: params.approvalId, limit: limit + 1, before: key === null ? null : Number(key) };
    return pageOf(await payloadVersions(scope, page), limit, (row) => row.version, presentPayload);
  },
  diff: (scope, { params, query }) => payloadDiff(scope, params.approvalId, query.against),
  listIssues: async (scope, { params, query: { limit, cursor } }) => {
    const page = { approvalId: params.approvalId, limit: limit + 1, before: decodeCursor(cursor, isId) };
    const rows = await listLinkedIssues(scope, page);
    if (rows.length === 0) await getApproval(scope, params.approvalId);
    return pageOf(rows, limit, (row) => row.id, presentIssue);
  },
  listComments: async (scope, { params, query: { limit, cursor } }) => {
    const page = { limit: limit + 1, after: decodeCursor(cursor, isId) };
    const rows = await listComments(scope, { approvalId: params.approvalId }, page);
    if (rows.length === 0) await getApproval(scope, params.approvalId);
    return pageOf(rows, limit, (row) => row.id, presentComment);
  },
  listOfIssue: async (scope, { params, query: { limit, cursor } }) => {
    const page = { issueId: params.issueId, limit: limit + 1, before: decodeCursor(cursor, isId) };
    const rows = await listLinkedApprovals(scope, page);
    if (rows.length === 0) await getIssue(scope, params.issueId);
    return pageOf(rows, limit, (row) => row.id, presentApproval);
  },
};

const linking: Pick<HandlersOf<Contract["approvals"]>, "link" | "unlink"> = {
  link: async (change, { params, body }) => {
    const { created, approval } = await linkIssue(change, params.issueId, body.approvalId);
    return { created, body: presentApproval(approval) };
  },
  unlink: async (change, { params }) => {
    await unlinkIssue(change, params.issueId, params.approvalId);
    return undefined;
  },
};
