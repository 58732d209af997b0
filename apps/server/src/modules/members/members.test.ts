import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claim, invited, type Person, password, post, signIn } from "../../../test/people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { systemClock } from "../../platform/clock.ts";
import { adoptCompanies } from "./index.ts";

let server: TestServer;
let ada: Person;
let companyId: string;

beforeAll(async () => {
  server = await startTestServer({ mode: "authenticated", signInTries: 100_000 });
  ada = await claim(server);
  companyId = (await ada.client.companies.create({ body: { name: "Acme" } })).id;
});
afterAll(() => server.close());

const accept = (body: object) => post(server.url, "/api/invitations/accept", body);
const sentences = async (): Promise<string[]> =>
  (await ada.client.activity.list({ params: { companyId } })).items.map(({ sentence }) => sentence);

describe("invitations", () => {
  const inviting = (email: string, role: "viewer" | "operator" | "admin" | "owner" = "viewer") =>
    ada.client.invitations.create({ params: { companyId }, body: { email, role } });

  test("let the invited person in once, with the role, and the log says so", async () => {
    const { token } = await inviting("Bob@Example.com", "operator");
    const answer = await accept({ token, name: "Bob", password });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ companyId, member: { email: "bob@example.com", role: "operator" } });
    expect((await accept({ token, name: "Bob", password })).status).toBe(401);
    expect((await sentences()).slice(0, 2)).toEqual([
      "Bob joined as operator, invited as bob@example.com",
      "Ada invited bob@example.com as operator",
    ]);
  });

  test("accepted many times at once let in one person, who is there once", async () => {
    const { token } = await inviting("many@example.com");
    const answers = await Promise.all([1, 2, 3, 4].map(() => accept({ token, name: "Many", password })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await server.database.driver`select id from users where email = 'many@example.com'`).toHaveLength(1);
  });

  test("of who has an account ask for its password; a wrong one leaves the invitation open", async () => {
    const other = await ada.client.companies.create({ body: { name: "Second" } });
    const { token } = await ada.client.invitations.create({
      params: { companyId: other.id },
      body: { email: "bob@example.com", role: "admin" },
    });
    expect((await accept({ token, password: "not the password" })).status).toBe(401);
    expect((await accept({ token, password })).status).toBe(200);
    const bob = await signIn(server, "bob@example.com");
    expect((await bob.client.companies.list()).items.map(({ name }) => name).sort()).toEqual(["Acme", "Second"]);
  });

  test("taken back or run out are good for nothing; a new account needs a name", async () => {
    const { id, token } = await inviting("gone@example.com");
    const nameless = await accept({ token, password });
    expect({ status: nameless.status, ...((await nameless.json()) as object) }).toMatchObject({
      status: 400,
      details: [{ path: "name" }],
    });
    await ada.client.invitations.revoke({ params: { companyId, invitationId: id } });
    expect((await accept({ token, name: "Gone", password })).status).toBe(401);
    const late = await inviting("late@example.com");
    await server.database.driver`update invitations set expires_at = now() where id = ${late.id}`;
    expect((await accept({ token: late.token, name: "Late", password })).status).toBe(401);
    const open = (await ada.client.invitations.list({ params: { companyId } })).items.map(({ email }) => email);
    expect(open).not.toContain("gone@example.com");
    expect(open).not.toContain("late@example.com");
  });

  test("are not made for members", async () => {
    await expect(inviting("bob@example.com")).rejects.toMatchObject({ status: 409, code: "already_exists" });
  });

  test("P11: no table holds their tokens, nor a password", async () => {
    const { token } = await inviting("kept@example.com");
    const tables = ["invitations", "users", "accounts", "sessions", "activity", "idempotency_keys"];
    for (const table of tables) {
      const rows = await server.database.driver.unsafe<{ row: string }[]>(`select t::text as row from ${table} t`);
      const text = rows.map(({ row }) => row).join("\n");
      expect({ table, token: text.includes(token ?? ""), password: text.includes(password) }).toEqual({
        table,
        token: false,
        password: false,
      });
    }
  });
});

describe("members", () => {
  test("get another role or go at once; nobody has a say over a role above their own", async () => {
    const carol = await invited(server, ada.client, { companyId, role: "admin", email: "carol@example.com" });
    const dan = await invited(server, ada.client, { companyId, role: "viewer", email: "dan@example.com" });
    const memberId = dan.id;
    const creating = () => dan.client.issues.create({ params: { companyId }, body: { title: "Mine" } });
    await expect(creating()).rejects.toMatchObject({ status: 403, code: "forbidden" });
    await carol.client.members.change({ params: { companyId, memberId }, body: { role: "operator" } });
    await creating();
    const above = { status: 403, code: "forbidden" };
    for (const [id, role] of [
      [dan.id, "owner"],
      [carol.id, "owner"],
      [ada.id, "viewer"],
    ] as const) {
      const changing = carol.client.members.change({ params: { companyId, memberId: id }, body: { role } });
      await expect(changing).rejects.toMatchObject(above);
    }
    const inviting = { params: { companyId }, body: { email: "x@example.com", role: "owner" as const } };
    await expect(carol.client.invitations.create(inviting)).rejects.toMatchObject(above);
    await carol.client.members.remove({ params: { companyId, memberId } });
    await expect(creating()).rejects.toMatchObject({ status: 403, code: "other_company" });
    expect((await dan.client.companies.list()).items).toEqual([]);
    expect((await sentences())[0]).toBe("carol removed dan (operator) from the company");
  });

  test("know each other by name and role, without addresses, and strangers know nobody", async () => {
    const { id } = await ada.client.companies.create({ body: { name: "Named" } });
    const params = { companyId: id };
    const finn = await invited(server, ada.client, { ...params, role: "viewer", email: "finn@example.com" });
    const names = [
      { id: finn.id, name: "finn", role: "viewer" },
      { id: ada.id, name: "Ada", role: "owner" },
    ];
    expect((await finn.client.members.listNames({ params })).items).toEqual(names);
    const first = await finn.client.members.listNames({ params, query: { limit: 1 } });
    expect(first.items).toEqual(names.slice(0, 1));
    const rest = await finn.client.members.listNames({ params, query: { limit: 1, cursor: first.next ?? "" } });
    expect(rest.items).toEqual(names.slice(1));
    expect(await finn.client.members.getName({ params: { ...params, memberId: ada.id } })).toEqual(names[1]);
    await expect(finn.client.members.list({ params })).rejects.toMatchObject({ status: 403, code: "forbidden" });
    await ada.client.members.remove({ params: { ...params, memberId: finn.id } });
    await expect(finn.client.members.listNames({ params })).rejects.toMatchObject({ code: "other_company" });
    const gone = ada.client.members.getName({ params: { ...params, memberId: finn.id } });
    await expect(gone).rejects.toMatchObject({ status: 404 });
  });

  test("the last owner stays, also when all are taken away at once", async () => {
    const refused = { status: 409, code: "wrong_state" };
    const company = await ada.client.companies.create({ body: { name: "Owned" } });
    const place = { companyId: company.id };
    const demote = (memberId: string) =>
      ada.client.members.change({ params: { ...place, memberId }, body: { role: "viewer" } });
    await expect(demote(ada.id)).rejects.toMatchObject(refused);
    await expect(ada.client.members.remove({ params: { ...place, memberId: ada.id } })).rejects.toMatchObject(refused);
    const eve = await invited(server, ada.client, { ...place, role: "owner", email: "eve@example.com" });
    await Promise.allSettled([
      ada.client.members.change({ params: { ...place, memberId: eve.id }, body: { role: "viewer" } }),
      eve.client.members.change({ params: { ...place, memberId: ada.id }, body: { role: "viewer" } }),
    ]);
    const rows = await server.database.driver`
      select user_id from memberships where company_id = ${company.id} and role = 'owner'`;
    expect(rows).toHaveLength(1);
  });

  test("companies that were founded while nobody signed in get an owner at the next start, once", async () => {
    const local = await server.sibling({ mode: "local_trusted" });
    const { id } = await local.board.companies.create({ body: { name: "Between" } });
    const joined = await local.board.companies.create({ body: { name: "Joined" } });
    const place = { params: { companyId: joined.id } };
    const { token } = await local.board.invitations.create({ ...place, body: { email: ada.email, role: "viewer" } });
    expect((await accept({ token, password })).status).toBe(200);
    await local.close();
    await expect(ada.client.companies.get({ params: { companyId: id } })).rejects.toMatchObject({ status: 403 });
    const host = { database: server.database, notifier: { notify: () => undefined } };
    await Promise.all([adoptCompanies(host, systemClock()), adoptCompanies(host, systemClock())]);
    expect(await ada.client.companies.get({ params: { companyId: id } })).toMatchObject({ name: "Between" });
    const { items } = await ada.client.activity.list({ params: { companyId: id }, query: { action: "member.added" } });
    expect(items.map(({ sentence }) => sentence)).toEqual(["Roster made Ada owner of the company"]);
    const own = { params: { ...place.params, memberId: ada.id } };
    expect(await ada.client.members.get(own)).toMatchObject({ role: "owner" });
  });
});
