import { type Client, createClient } from "@roster/client";
import type { Role } from "@roster/contract";
import { claimToken } from "../src/modules/accounts/index.ts";
import type { TestServer } from "./test-server.ts";

/** A person who has signed in. */
export interface Person {
  readonly id: string;
  readonly email: string;
  /** The cookie of its session, as a browser sends it. */
  readonly cookie: string;
  readonly client: Client;
}

/** The password of everybody in tests. */
export const password = "correct horse battery staple";

/** Posts what a page of the server itself would. */
export const post = (url: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, ...headers },
    body: JSON.stringify(body),
  });

/** The cookies that an answer sets, as they are sent back. */
const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .join("; ");

/** A client with the session of a cookie. */
export const clientOf = (url: string, cookie: string): Client =>
  createClient({ baseUrl: url, headers: { cookie, origin: url }, retries: 0 });

async function entered(url: string, answer: Response, email: string): Promise<Person> {
  if (!answer.ok) throw new Error(`${email} is not let in: ${answer.status} ${await answer.text()}`);
  const cookie = cookieOf(answer);
  const client = clientOf(url, cookie);
  const { user } = await client.auth.session();
  return { id: user.id, email, cookie, client };
}

/** Signs in somebody who has an account. */
export async function signIn({ url }: TestServer, email: string): Promise<Person> {
  return entered(url, await post(url, "/api/auth/sign-in/email", { email, password }), email);
}

/** Claims the deployment of a server. */
export async function claim({ url, database, keys }: TestServer, email = "ada@example.com"): Promise<Person> {
  const token = await claimToken(database, keys);
  return entered(url, await post(url, "/api/auth/claim", { token, name: "Ada", email, password }), email);
}

/** Invites somebody, who accepts. */
export async function invited(
  { url }: TestServer,
  host: Client,
  { companyId, role, email }: { companyId: string; role: Role; email: string },
): Promise<Person> {
  const { token } = await host.invitations.create({ params: { companyId }, body: { email, role } });
  const name = email.split("@")[0] ?? "";
  return entered(url, await post(url, "/api/invitations/accept", { token, name, password }), email);
}
