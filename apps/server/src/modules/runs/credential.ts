import { env } from "@roster/contract";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Reader } from "../../platform/database/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { AgentCaller } from "../../platform/scope.ts";
import { type Keys, keysAt } from "../../platform/secrets/index.ts";
import { findCredentialRun } from "./credential-store.ts";
import type { RunValues } from "./store.ts";

const issuer = "roster";
const audience = "agent";
const label = "run-credential";
/** Says which version of the master key signed. */
const keyId = ({ version }: Keys): string => String(version);

/**
 * The credential of a claimed run: the same for the same claim, so that a runner that lost it gets it again, also after
 * the master key was rotated. It says
 * whose it is; whether it is good is for the database to say, at each request.
 */
export function signCredential(
  keys: Keys,
  run: Pick<RunValues, "companyId" | "id" | "agentId" | "epoch">,
  { claimedAt, lastsSec }: { claimedAt: Date; lastsSec: number },
): Promise<string> {
  const own = keysAt(keys, claimedAt);
  const issuedAt = Math.floor(claimedAt.getTime() / 1000);
  return new SignJWT({ company: run.companyId, run: run.id, epoch: run.epoch })
    .setProtectedHeader({ alg: "HS256", kid: keyId(own) })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(run.agentId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lastsSec)
    .sign(own.derive(label));
}

/**
 * The agent that holds the credential of a run: good while the run is under way with this number of its claim and
 * neither agent nor company is stopped. One statement by primary key, on the primary.
 */
export async function authenticateRun(db: Reader, keys: Keys, token: string): Promise<AgentCaller> {
  const { companyId, runId, epoch } = await claimsOf(keys, token);
  const [row] = await findCredentialRun(db, { companyId, runId });
  const isUnderWay = row?.status === "claimed" || row?.status === "running";
  const isStopped =
    row?.agentStatus === "paused" || row?.agentStatus === "terminated" || row?.companyStatus !== "active";
  if (row === undefined || !isUnderWay || row.epoch !== epoch || row.ending !== null || isStopped) {
    throw new Refusal("run_ended", "The run of this credential is over, and the credential with it.");
  }
  const { agentId, name, agentStatus: status, permissions, companyStatus } = row;
  const { issueId, approvalId, startedAt, causeId, rootId, hops } = row;
  return {
    kind: "agent",
    agentId,
    companyId,
    name,
    status,
    permissions,
    companyStatus,
    runId,
    run: { issueId, approvalId, startedAt },
    cause: { causeId, rootId, hops },
  };
}

/** What a credential says it is signed with: it outlives a rotation of the master key, as its run does. */
const signedWith =
  (keys: Keys) =>
  ({ kid }: { kid?: string }): Buffer =>
    (keys.former !== null && kid === keyId(keys.former) ? keys.former : keys).derive(label);

interface Claims {
  readonly companyId: string;
  readonly runId: string;
  readonly epoch: number;
}

async function claimsOf(keys: Keys, token: string): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, signedWith(keys), { issuer, audience, algorithms: ["HS256"] });
    const { company, run, epoch } = payload;
    if (typeof company === "string" && typeof run === "string" && typeof epoch === "number") {
      return { companyId: company, runId: run, epoch };
    }
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw new Refusal("credential_expired", "The time of this run is over, and its credential with it.");
    }
    if (!(error instanceof errors.JOSEError)) throw error;
  }
  throw new Refusal("unauthenticated", `This credential is not valid: send ${env("API_KEY")} as it is.`);
}
