import type { Approval, PayloadVersion } from "@roster/contract";
import type { Versioned } from "../../platform/http/index.ts";
import { redact } from "../../platform/secrets/index.ts";
import type { ApprovalRow } from "./store.ts";

/** A stored approval as the API shows it. */
export function presentApproval(row: ApprovalRow): Approval {
  return {
    id: row.id,
    companyId: row.companyId,
    type: row.type,
    status: row.status,
    payload: redact(row.payload) as Approval["payload"],
    payloadVersion: row.payloadVersion,
    payloadDigest: row.payloadDigest,
    agentId: row.agentId,
    requestedByAgentId: row.requestedByAgentId,
    requestedByUserId: row.requestedByUserId,
    decisionNote: row.decisionNote,
    decidedByUserId: row.decidedByUserId,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The same with the number of its ETag. */
export const versionedApproval = (row: ApprovalRow): Versioned<Approval> => ({
  version: row.version,
  body: presentApproval(row),
});

/** One version of a payload. */
export const presentPayload = (row: {
  payload: ApprovalRow["payload"];
  version: number;
  digest: string;
  createdAt: Date;
}): PayloadVersion => ({
  payload: redact(row.payload) as Approval["payload"],
  payloadVersion: row.version,
  payloadDigest: row.digest,
  createdAt: row.createdAt.toISOString(),
});
