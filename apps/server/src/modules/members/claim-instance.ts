import { type Body, type contract, instanceId } from "@roster/contract";
import { type Change, type ChangeHost, change, LostRace } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { Refusal } from "../../platform/refusal.ts";
import { type Caller, noCause, type Scope } from "../../platform/scope.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { type Accounts, claimSaltOf, findAdmins, findUserByEmail, spendClaimSalt } from "../accounts/index.ts";
import { listOwnerless, makeOwner } from "../companies/index.ts";
import { recordUser } from "./record-user.ts";

type Wish = Body<typeof contract.auth.claim>;

/** What claiming needs. */
export interface ClaimNeeds {
  readonly host: ChangeHost;
  readonly accounts: Accounts;
  readonly keys: Keys;
}

/** Makes the first operator: runs the deployment, owns every company that nobody owns. The token works once. */
export async function claimInstance({ host, accounts, keys }: ClaimNeeds, scope: Scope, wish: Wish): Promise<void> {
  const { email, name, password } = wish;
  const salt = await claimSaltOf(scope.db, keys, wish.token);
  if (salt === null) throw unusable();
  await change(host, { ...scope, companyId: instanceId }, async (opened) => {
    if (!(await spendClaimSalt(opened.upkeep, salt))) throw unusable();
    if ((await findUserByEmail(opened.db, email)) !== null) {
      throw new Refusal("already_exists", "Somebody has an account with this e-mail address.", {
        details: [{ path: "email", message: "has an account" }],
      });
    }
    const userId = await accounts.open(opened, { email }, { name, password, isInstanceAdmin: true });
    recordUser(opened, userId, { name, how: "the claim link" });
    await takeOver(opened, { id: userId, name }, { kind: "board", userId });
  });
}

/**
 * Gives companies that nobody owns to who runs the deployment: those founded in local trusted mode since somebody
 * claimed it. For the start in authenticated mode.
 */
export async function adoptCompanies(host: ChangeHost, now: Date): Promise<void> {
  const db = host.database.reader;
  const [admin] = await findAdmins(db);
  if (admin === undefined || (await listOwnerless(db)).length === 0) return;
  const caller: Caller = { kind: "system" };
  const scope = { companyId: instanceId, caller, cause: noCause, db, now, requestId: newId() };
  await change(host, scope, (opened) => takeOver(opened, admin, caller));
}

async function takeOver(opened: Change, { id, name }: { id: string; name: string }, caller: Caller): Promise<void> {
  for (const { id: companyId, isArchived } of await listOwnerless(opened.db)) {
    // Another server that starts was faster.
    if (!(await makeOwner(opened, { companyId, userId: id }))) throw new LostRace();
    const log = isArchived ? instanceId : companyId;
    opened.record("member.added", id, { name, role: "owner" }, { companyId: log, caller });
  }
}

const unusable = (): Refusal =>
  new Refusal(
    "unauthenticated",
    "This claim link is not good: it was used, or never existed. A member can invite you.",
  );
