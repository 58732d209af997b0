import type { Difference, JsonObject, TextDifference } from "@roster/contract";
import { differences } from "../../platform/json-difference.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { redact } from "../../platform/secrets/index.ts";
import { instructionDifferences } from "../agents/index.ts";
import { type ApprovalRow, getApproval, listPayloads } from "./store.ts";

/** A payload under its version number. */
export type Payload = Pick<
  Awaited<ReturnType<typeof listPayloads>>[number],
  "payload" | "version" | "digest" | "createdAt"
>;

/** The payload an approval has now, as one of its versions. */
const presentVersion = (approval: ApprovalRow): Payload => ({
  payload: approval.payload,
  version: approval.payloadVersion,
  digest: approval.payloadDigest,
  createdAt: approval.payloadVersion === 1 ? approval.createdAt : approval.updatedAt,
});

/** Versions of the payload newest first, the present one included; at most `limit`, below `before`. */
export async function payloadVersions(
  scope: Scope,
  page: { approvalId: string; limit: number; before: number | null },
): Promise<Payload[]> {
  const approval = await getApproval(scope, page.approvalId);
  const newest = approval.payloadVersion;
  const before = page.before ?? newest + 1;
  const earlier = await listPayloads(scope, { ...page, before });
  return before > newest ? [presentVersion(approval), ...earlier].slice(0, page.limit) : earlier;
}

/** How the present payload differs from version `against`, by default the one before it. */
export async function payloadDiff(
  scope: Scope,
  approvalId: string,
  against: number | undefined,
): Promise<{ differences: Difference[]; texts: TextDifference[] }> {
  const approval = await getApproval(scope, approvalId);
  const wanted = against ?? approval.payloadVersion - 1;
  if (wanted > approval.payloadVersion) {
    const message = `the newest version is ${approval.payloadVersion}`;
    throw new Refusal("invalid_request", `There is no such version: ${message}.`, {
      details: [{ path: "against", message }],
    });
  }
  if (wanted === approval.payloadVersion) return { differences: [], texts: [] };
  const [other] = await listPayloads(scope, { approvalId, limit: 1, before: wanted + 1 });
  const before = other?.payload ?? {};
  return {
    differences: differences(redact(before) as JsonObject, redact(approval.payload) as JsonObject),
    texts: instructionDifferences(before, approval.payload),
  };
}
