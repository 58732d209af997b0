import { claimToken } from "../../src/modules/accounts/index.ts";
import { newId } from "../../src/platform/ids.ts";
import { password, post } from "../people.ts";
import type { World } from "./world.ts";

/** What only the service gives out, for bodies with which somebody comes in: by operation, made anew for each call. */
export const entrances: Readonly<Record<string, (world: World) => Promise<object>>> = {
  "auth.signIn": async (world) => ({ email: await knownPerson(world), password }),
  "auth.claim": async ({ server, next }) => {
    // As if nobody had claimed the deployment yet.
    await server.database.driver`update instance set claim_salt = ${newId()}`;
    return { token: await claimToken(server.database, server.keys), email: `claimer${next()}@example.com` };
  },
  "invitations.accept": async (world) => {
    const { server, home, next } = world;
    const body = { email: `invited${next()}@example.com`, role: "viewer" as const };
    const { token } = await server.board.invitations.create({ params: { companyId: home }, body });
    return { token, name: "Invited" };
  },
};

const known = new WeakMap<World["server"], Promise<string>>();

/** The address of somebody who has an account with a password. */
function knownPerson(world: World): Promise<string> {
  const person = known.get(world.server) ?? makePerson(world);
  known.set(world.server, person);
  return person;
}

async function makePerson({ server, home }: World): Promise<string> {
  const email = "known@example.com";
  const body = { email, role: "viewer" as const };
  const { token } = await server.board.invitations.create({ params: { companyId: home }, body });
  await post(server.url, "/api/invitations/accept", { token, name: "Known", password });
  return email;
}

/** Somebody who can not sign in, for lists and paths. Answers the id. */
async function buildUser({ server, next }: World): Promise<string> {
  const id = newId();
  const email = `person${next()}-${id}@example.com`;
  await server.database.driver`
    insert into users (id, name, email, created_at, updated_at) values (${id}, 'Somebody', ${email}, now(), now())`;
  return id;
}

/** An operator of a company, so that another role is a change. */
export async function buildMember(world: World, companyId: string): Promise<string> {
  const id = await buildUser(world);
  await world.server.database.driver`
    insert into memberships (company_id, user_id, role, created_at, updated_at)
    values (${companyId}, ${id}, 'operator', now(), now())`;
  return id;
}

/** A session of this person, or of somebody. */
export async function buildSession(world: World, userId?: string): Promise<string> {
  const [id, owner] = [newId(), userId ?? (await buildUser(world))];
  await world.server.database.driver`
    insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
    values (${id}, ${owner}, ${newId()}, now() + interval '1 day', now(), now())`;
  return id;
}
