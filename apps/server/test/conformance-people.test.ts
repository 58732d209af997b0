import { afterAll, beforeAll, expect, test } from "vitest";
import { claim, invited, type Person } from "./people.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer({ mode: "authenticated", signInTries: 1000 });
  ada = await claim(server);
  const { id: companyId } = await ada.client.companies.create({ body: { name: "Acme" } });
  bob = await invited(server, ada.client, { companyId, role: "viewer", email: "bob@example.com" });
});
afterAll(() => server.close());

test("whoever is signed in may found a company, owns it, and has it alone", async () => {
  const { id: companyId } = await bob.client.companies.create({ body: { name: "Bob's" } });
  const { items } = await bob.client.members.list({ params: { companyId } });
  expect(items).toMatchObject([{ id: bob.id, email: "bob@example.com", role: "owner" }]);
  expect((await bob.client.companies.list()).items.map(({ name }) => name)).toEqual(["Bob's", "Acme"]);
  expect((await ada.client.companies.list()).items.map(({ name }) => name)).toEqual(["Acme"]);
});

test("a person's decision names the person: in the approval and in the log", async () => {
  const { id: companyId } = await bob.client.companies.create({ body: { name: "Hiring" } });
  const body = { name: "Eva", adapterType: "claude_local" };
  const { approval } = await bob.client.hires.request({ params: { companyId }, body });
  const at = { params: { approvalId: approval?.id ?? "" } };
  const decided = await bob.client.approvals.approve({ ...at, body: { decisionNote: "Welcome" } });
  expect(decided).toMatchObject({ requestedByUserId: bob.id, decidedByUserId: bob.id, decisionNote: "Welcome" });
  const query = { entityId: decided.id, action: "approval.approved" };
  const { items } = await bob.client.activity.list({ params: { companyId }, query });
  expect(items).toMatchObject([{ actor: { kind: "user", id: bob.id, name: "bob" } }]);
});
