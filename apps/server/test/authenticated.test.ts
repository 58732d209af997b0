import { createClient } from "@roster/client";
import { allOperations, type CallerRule, instanceId, permissions, roleAtLeast, roles } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimToken } from "../src/modules/accounts/index.ts";
import { claim, clientOf, invited, type Person, password, post, signIn } from "./people.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const enough = 100_000;
const signInPath = "/api/auth/sign-in/email";
const refusal = async (answer: Response) => {
  const { code } = (await answer.json()) as { code: string };
  return { status: answer.status, code };
};

describe("authenticated mode", () => {
  let server: TestServer;
  let ada: Person;
  let acme: string;

  beforeAll(async () => {
    server = await startTestServer({ mode: "authenticated", signInTries: enough });
    ada = await claim(server);
    acme = (await ada.client.companies.create({ body: { name: "Acme" } })).id;
  });
  afterAll(() => server.close());

  describe("who is let in", () => {
    test("health says mode and trust, and needs nobody", async () => {
      expect(await server.board.service.health()).toMatchObject({ mode: "authenticated", trust: "login" });
    });

    test("a request without a credential is 401, on every operation that is not public", async () => {
      for (const { name, operation } of allOperations()) {
        if ("public" in permissions[operation.may]) continue;
        const answer = await fetch(server.url + operation.path.replace(/:\w+/g, acme), { method: operation.method });
        expect({ name, status: answer.status }).toEqual({ name, status: 401 });
      }
    });

    test("whoever signs in is who they are; a wrong password and an unknown address are refused alike", async () => {
      expect(await (await signIn(server, ada.email)).client.auth.session()).toMatchObject({
        user: { id: ada.id, name: "Ada", email: "ada@example.com", isInstanceAdmin: true },
        session: { current: true },
      });
      const wrong = await post(server.url, signInPath, { email: ada.email, password: "not this one" });
      const unknown = await post(server.url, signInPath, { email: "eve@example.com", password });
      expect(await refusal(wrong.clone())).toEqual({ status: 401, code: "unauthenticated" });
      const [one, other] = (await Promise.all([wrong.json(), unknown.json()])) as { error: string }[];
      expect(one?.error).toBe(other?.error);
    });

    test("a cookie that is forged, cut or of nobody is 401", async () => {
      const [name = "", value = ""] = ada.cookie.split(/=(.*)/s);
      const [token = ""] = decodeURIComponent(value).split(".");
      for (const cookie of [`${name}=${token}`, `${name}=${token}.${"A".repeat(43)}=`, `${name}=x.y`, "other=1"]) {
        await expect(clientOf(server.url, cookie).companies.list()).rejects.toMatchObject({ status: 401 });
      }
    });

    test("an agent's key is that agent, with or without a cookie beside it", async () => {
      const agent = await ada.client.agents.create({
        params: { companyId: acme },
        body: { name: "Bot", adapterType: "claude_local" },
      });
      const { token } = await ada.client.agentKeys.create({ params: { agentId: agent.id }, body: {} });
      expect(await server.as(token ?? "").agents.me()).toMatchObject({ id: agent.id });
      const both = createClient({ baseUrl: server.url, token: token ?? "", headers: { cookie: ada.cookie } });
      expect(await both.agents.me()).toMatchObject({ id: agent.id });
    });

    test("nobody makes an account by signing up: everything else under /api/auth is 404", async () => {
      const others = [
        "sign-up/email",
        "sign-in/social",
        "change-password",
        "delete-user",
        "update-user",
        "list-sessions",
      ];
      for (const path of [...others, "revoke-session", "verify-email", "ok", "error"]) {
        for (const method of ["GET", "POST"]) {
          const body = { email: "eve@example.com", password, name: "Eve" };
          const init = method === "GET" ? {} : { body: JSON.stringify(body) };
          const headers = { cookie: ada.cookie, origin: server.url, "content-type": "application/json" };
          const answer = await fetch(`${server.url}/api/auth/${path}`, { method, headers, ...init });
          expect({ path, method, ...(await refusal(answer)) }).toEqual({
            path,
            method,
            status: 404,
            code: "not_found",
          });
        }
      }
      const people = await server.database.driver`select email from users where email = 'eve@example.com'`;
      expect(people).toEqual([]);
    });
  });

  describe("sessions", () => {
    test("are listed and ended one by one, at once on every server", async () => {
      const sibling = await server.sibling();
      const [here, there] = [await signIn(server, ada.email), await signIn(sibling, ada.email)];
      const listed = (await here.client.auth.listSessions()).items;
      expect(listed.filter(({ current }) => current)).toHaveLength(1);
      const { session } = await there.client.auth.session();
      await here.client.auth.revokeSession({ params: { sessionId: session?.id ?? "" } });
      await expect(there.client.companies.list()).rejects.toMatchObject({ status: 401 });
      await expect(clientOf(server.url, there.cookie).companies.list()).rejects.toMatchObject({ status: 401 });
      expect((await here.client.companies.list()).items).toHaveLength(1);
      await sibling.close();
    });

    test("signing out ends the session, not only its cookie", async () => {
      const person = await signIn(server, ada.email);
      const answer = await post(server.url, "/api/auth/sign-out", {}, { cookie: person.cookie });
      expect(answer.status).toBe(204);
      expect(answer.headers.getSetCookie().join()).toMatch(/roster\.session_token=;.*Max-Age=0/);
      await expect(person.client.companies.list()).rejects.toMatchObject({ status: 401 });
    });

    test("of somebody else are nobody's", async () => {
      const bob = await invited(server, ada.client, { companyId: acme, role: "viewer", email: "bob@example.com" });
      const { session } = await ada.client.auth.session();
      const ending = bob.client.auth.revokeSession({ params: { sessionId: session?.id ?? "" } });
      await expect(ending).rejects.toMatchObject({ status: 404 });
      expect((await bob.client.auth.listSessions()).items).toHaveLength(1);
      expect((await ada.client.companies.list()).items).toHaveLength(1);
    });
  });

  describe("cookies", () => {
    test("no script reads them, no other site sends them along; over https alone where the public address is https", async () => {
      const secure = await server.sibling({ publicUrl: "https://roster.example" });
      const signedIn = async (url: string, origin: string) =>
        (await post(url, signInPath, { email: ada.email, password }, { origin })).headers.getSetCookie().join();
      const plain = await signedIn(server.url, server.url);
      expect(plain).toMatch(/^roster\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(await signedIn(secure.url, "https://roster.example")).toMatch(
        /^__Secure-roster\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      await secure.close();
    });

    test("a change with a cookie needs an own origin; without one, or from another, it is 403", async () => {
      const create = (headers: Record<string, string>) =>
        fetch(`${server.url}/api/companies`, {
          method: "POST",
          headers: { "content-type": "application/json", cookie: ada.cookie, ...headers },
          body: JSON.stringify({ name: "Forged" }),
        });
      const foreign: Record<string, string>[] = [{}, { origin: "https://evil.example" }, { origin: "null" }];
      for (const headers of [...foreign, { origin: server.url, "sec-fetch-site": "cross-site" }]) {
        expect(await refusal(await create(headers))).toEqual({ status: 403, code: "forbidden" });
      }
      const names = (await ada.client.companies.list()).items.map(({ name }) => name);
      expect(names).not.toContain("Forged");
      const signingIn = await post(
        server.url,
        signInPath,
        { email: ada.email, password },
        { origin: "https://evil.example" },
      );
      expect(signingIn.status).toBe(403);
    });

    test("only the public address, and this machine, is answered", async () => {
      const secure = await server.sibling({ publicUrl: "https://roster.example" });
      const welcome = (host: string) => headersOf(secure.url, host);
      expect(await welcome("roster.example")).toBe(200);
      expect(await welcome(new URL(secure.url).host)).toBe(200);
      expect(await welcome("evil.example")).toBe(403);
      await secure.close();
    });
  });

  describe("what a role may", () => {
    const own = /^\/api\/companies\/:companyId(?:\/[a-z-]+)?$/;
    const inCompany = allOperations().filter(({ operation }) => own.test(operation.path));

    test.each(roles)("as the permission table says: %s", async (role) => {
      const company = await ada.client.companies.create({ body: { name: `For ${role}` } });
      const email = `${role}@example.com`;
      const person = await invited(server, ada.client, { companyId: company.id, role, email });
      for (const { name, operation } of inCompany) {
        const rule: CallerRule = permissions[operation.may];
        const needed = roles.find((one) => one === rule.board);
        const answer = await fetch(server.url + operation.path.replace(":companyId", company.id), {
          method: operation.method,
          headers: { cookie: person.cookie, origin: server.url },
        });
        const isForbidden = answer.status === 403;
        expect({ name, isForbidden }).toEqual({
          name,
          isForbidden: needed !== undefined && !roleAtLeast(role, needed),
        });
      }
    });

    test("P1: another company is 403 other_company, and no list shows it", async () => {
      const eve = await invited(server, ada.client, { companyId: acme, role: "owner", email: "eva@example.com" });
      const other = await ada.client.companies.create({ body: { name: "Other" } });
      const issue = await ada.client.issues.create({ params: { companyId: other.id }, body: { title: "Theirs" } });
      const refused = { status: 403, code: "other_company" };
      await expect(eve.client.companies.get({ params: { companyId: other.id } })).rejects.toMatchObject(refused);
      await expect(eve.client.issues.get({ params: { issueId: issue.id } })).rejects.toMatchObject(refused);
      await expect(eve.client.issues.get({ params: { issueId: issue.identifier } })).rejects.toMatchObject(refused);
      const inBody = eve.client.issues.create({
        params: { companyId: acme },
        body: { title: "Mine", parentId: issue.id },
      });
      await expect(inBody).rejects.toMatchObject(refused);
      expect((await eve.client.companies.list()).items.map(({ id }) => id)).toEqual([acme]);
    });

    test("only who runs the deployment reads its log; it says who came in, and how", async () => {
      const bob = await signIn(server, "bob@example.com");
      await expect(bob.client.activity.listInstance()).rejects.toMatchObject({ status: 403, code: "forbidden" });
      const entries = (await ada.client.activity.listInstance({ query: { action: "user.created" } })).items;
      expect(entries.at(-1)).toMatchObject({
        companyId: instanceId,
        actor: { kind: "user", id: ada.id, name: "Ada" },
        sentence: "Ada opened the account of Ada with the claim link",
      });
    });

    test("an issue can be given to members only, and the log names them", async () => {
      const bob = await signIn(server, "bob@example.com");
      const { id } = await ada.client.companies.create({ body: { name: "Elsewhere" } });
      const carol = await invited(server, ada.client, { companyId: id, role: "owner", email: "carol@example.com" });
      const give = (assigneeUserId: string) =>
        ada.client.issues.create({ params: { companyId: acme }, body: { title: "Do it", assigneeUserId } });
      expect(await give(bob.id)).toMatchObject({ assigneeUserId: bob.id });
      for (const stranger of [carol.id, "00000000-0000-7000-8000-000000000001"]) {
        await expect(give(stranger)).rejects.toMatchObject({ status: 422, code: "unknown_reference" });
      }
    });
  });
});

describe("coming in", () => {
  test("who tries too often is told to wait, on every server; another address behind a trusted proxy is not", async () => {
    const server = await startTestServer({ mode: "authenticated", signInTries: 3, trustedProxies: ["127.0.0.1"] });
    const sibling = await server.sibling();
    const attempt = (url: string, from: string) =>
      post(url, signInPath, { email: "ada@example.com", password }, { "x-forwarded-for": from });
    for (const url of [server.url, sibling.url, server.url]) expect((await attempt(url, "192.0.2.1")).status).toBe(401);
    const late = await attempt(sibling.url, "192.0.2.1");
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refusal(late)).toEqual({ status: 429, code: "rate_limited" });
    expect((await attempt(server.url, "192.0.2.2")).status).toBe(401);
    const untrusting = await server.sibling({ trustedProxies: [] });
    for (const from of ["192.0.2.3", "192.0.2.4", "192.0.2.5"]) await attempt(untrusting.url, from);
    expect((await attempt(untrusting.url, "192.0.2.6")).status).toBe(429);
    await Promise.all([untrusting.close(), sibling.close()]);
    await server.close();
  });

  test("the claim link works once, also for many at once, and dies; every server prints the same", async () => {
    const server = await startTestServer({ mode: "authenticated", signInTries: enough });
    const token = await claimToken(server.database, server.keys);
    expect(await claimToken(server.database, server.keys)).toBe(token);
    const wrong = await post(server.url, "/api/auth/claim", {
      token: "svc_no",
      name: "Eve",
      email: "e@e.com",
      password,
    });
    expect(wrong.status).toBe(401);
    const claims = await Promise.all(
      ["a", "b", "c", "d"].map((name) =>
        post(server.url, "/api/auth/claim", { token, name, email: `${name}@example.com`, password }),
      ),
    );
    expect(claims.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await server.database.driver`select id from users`).toHaveLength(1);
    expect(await claimToken(server.database, server.keys)).toBeNull();
    await server.close();
  });

  test("from local to authenticated mode everything stays, and the first operator owns it; what came later, too", async () => {
    const local = await startTestServer();
    const acme = await local.board.companies.create({ body: { name: "Acme" } });
    const old = await local.board.companies.create({ body: { name: "Old" } });
    await local.board.companies.archive({ params: { companyId: old.id } });
    const issue = await local.board.issues.create({ params: { companyId: acme.id }, body: { title: "Kept" } });
    const server = await local.sibling({ mode: "authenticated" });
    const ada = await claim(server);
    expect((await ada.client.companies.list()).items.map(({ id }) => id).sort()).toEqual([acme.id, old.id].sort());
    expect(await ada.client.issues.get({ params: { issueId: issue.id } })).toMatchObject({ title: "Kept" });
    const { items } = await ada.client.activity.list({ params: { companyId: acme.id } });
    expect(items.map(({ sentence }) => sentence)).toEqual([
      "Ada made Ada owner of the company",
      "The board created ACM-1 “Kept”",
      "The board created the company Acme",
    ]);
    await ada.client.companies.resume({ params: { companyId: old.id } });
    await server.close();
    await local.close();
  });
});

/** The status of an answer to a request addressed to `host`. */
async function headersOf(url: string, host: string): Promise<number> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject).end();
  });
}
