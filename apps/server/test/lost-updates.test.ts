import { type Client, Refused, versionOf } from "@roster/client";
import type { Approval } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claim, invited } from "./people.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const program = { adapterType: "process", adapterConfig: { command: "true" } } as const;
const many = 30;

type Entity = { readonly id: string };
/** One change that somebody makes, of the version it has seen or of whichever is there. */
type Edit = (who: Client, ifMatch?: number) => Promise<Entity>;

/** Something that can be edited, and two edits of different fields of it. */
interface Edited {
  readonly read: (who: Client) => Promise<Entity>;
  readonly edits: readonly [Edit, Edit];
  /** What it holds once both were made. */
  readonly both: Readonly<Record<string, unknown>>;
}

/** What became of calls made at once: what was answered, and what was refused. Any other failure is one of the test. */
async function outcomesOf<T>(calls: Promise<T>[]): Promise<{ answered: T[]; refused: Refused[] }> {
  const settled = await Promise.allSettled(calls);
  const answered = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const thrown = settled.flatMap((one): unknown[] => (one.status === "rejected" ? [one.reason] : []));
  const refused = thrown.filter((error) => error instanceof Refused);
  expect(refused).toHaveLength(thrown.length);
  return { answered, refused };
}

describe("of two operators who edit the same thing", () => {
  let server: TestServer;
  let ada: Client;
  let bo: Client;
  let companyId: string;
  beforeAll(async () => {
    server = await startTestServer({ mode: "authenticated" });
    ada = (await claim(server)).client;
    ({ id: companyId } = await ada.companies.create({ body: { name: "Acme" } }));
    bo = (await invited(server, ada, { companyId, role: "admin", email: "bo@example.com" })).client;
  });
  afterAll(() => server.close());

  const versioned = (ifMatch: number | undefined) => (ifMatch === undefined ? {} : { ifMatch });
  const newAgent = () => ada.agents.create({ params: { companyId }, body: { name: "Nova", ...program } });
  const newIssue = () => ada.issues.create({ params: { companyId }, body: { title: "An issue" } });
  const companyEdited = async (): Promise<Edited> => {
    const { id } = await ada.companies.create({ body: { name: "Acme" } });
    const { database } = server;
    await database.driver`
      insert into memberships (company_id, user_id, role, version, created_at, updated_at)
      select ${id}, user_id, role, version, created_at, updated_at from memberships
      where company_id = ${companyId} and role = 'admin'`;
    const params = { companyId: id };
    return {
      read: (who) => who.companies.get({ params }),
      edits: [
        (who, ifMatch) => who.companies.change({ params, body: { goal: "Ship." }, ...versioned(ifMatch) }),
        (who, ifMatch) => who.companies.change({ params, body: { description: "Ours." }, ...versioned(ifMatch) }),
      ],
      both: { goal: "Ship.", description: "Ours." },
    };
  };
  const agentEdited = async (): Promise<Edited> => {
    const params = { agentId: (await newAgent()).id };
    const adapterConfig = { timeoutSec: 60 };
    return {
      read: (who) => who.agents.get({ params }),
      edits: [
        (who, ifMatch) => who.agents.change({ params, body: { title: "Engineer" }, ...versioned(ifMatch) }),
        (who, ifMatch) => who.agents.change({ params, body: { adapterConfig }, ...versioned(ifMatch) }),
      ],
      both: { title: "Engineer", adapterConfig: { ...program.adapterConfig, ...adapterConfig } },
    };
  };
  const issueEdited = async (): Promise<Edited> => {
    const params = { issueId: (await newIssue()).id };
    return {
      read: (who) => who.issues.get({ params }),
      edits: [
        (who, ifMatch) => who.issues.change({ params, body: { title: "Another" }, ...versioned(ifMatch) }),
        (who, ifMatch) => who.issues.change({ params, body: { status: "blocked" }, ...versioned(ifMatch) }),
      ],
      both: { title: "Another", status: "blocked" },
    };
  };
  const everything: [string, () => Promise<Edited>][] = [
    ["a company", companyEdited],
    ["an agent", agentEdited],
    ["an issue", issueEdited],
  ];

  /** How many entries of the log are about an entity, in its company. */
  const entriesOf = async ({ id }: Entity): Promise<number> => {
    const rows = await server.database.driver`select from activity where entity_id = ${id}`;
    return rows.length;
  };

  test.each(everything)("with If-Match one wins, and the other is told what to merge with: %s", async (_, make) => {
    const { read, edits, both } = await make();
    const [mine, theirs] = edits;
    const seen = await read(ada);
    const before = await entriesOf(seen);
    const version = versionOf(seen);
    const { answered, refused } = await outcomesOf([mine(ada, version), theirs(bo, version)]);
    expect([answered.length, refused.length]).toEqual([1, 1]);
    const [refusal] = refused;
    expect(refusal).toMatchObject({ status: 412, code: "stale_revision" });
    // What is there now, as any read would show it, and what to base the merged change on.
    const present = await read(bo);
    expect(present).toEqual(answered[0]);
    expect(refusal?.fix).toEqual({ etag: `"${version + 1}"`, present });
    const outcomes = await outcomesOf([mine(ada, version + 1), theirs(bo, version + 1)]);
    // The one that had won before finds that there is nothing left to change; it makes no new version.
    expect(outcomes.answered.length).toBeGreaterThan(0);
    expect(await read(ada)).toMatchObject(both);
    expect((await entriesOf(seen)) - before).toBe(2);
  });

  test.each(everything)("without If-Match nothing is lost that the other did not name: %s", async (_, make) => {
    const { read, edits, both } = await make();
    const seen = await read(ada);
    const before = await entriesOf(seen);
    const { refused } = await outcomesOf(edits.map((edit, index) => edit(index === 0 ? ada : bo)));
    expect(refused).toEqual([]);
    const after = await read(bo);
    expect(after).toMatchObject(both);
    expect(versionOf(after)).toBe(versionOf(seen) + 2);
    expect((await entriesOf(seen)) - before).toBe(2);
  });

  test.each(everything)("of many with the same If-Match one wins, and no other has an effect: %s", async (_, make) => {
    const { read, edits } = await make();
    const seen = await read(ada);
    const before = await entriesOf(seen);
    const calls = Array.from({ length: 10 }, (__, n) => edits[n % 2 === 0 ? 0 : 1](n < 5 ? ada : bo, versionOf(seen)));
    const { answered, refused } = await outcomesOf(calls);
    expect(answered).toHaveLength(1);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 412));
    expect((await entriesOf(seen)) - before).toBe(1);
  });

  test("P10: many who change distinct settings of an agent at once all find theirs, each in a revision of its own", async () => {
    const params = { agentId: (await newAgent()).id };
    const settings = Array.from({ length: many }, (_, n) => [`setting${n}`, n] as const);
    const { refused } = await outcomesOf(
      settings.map(([name, value], n) =>
        (n % 2 === 0 ? ada : bo).agents.change({ params, body: { adapterConfig: { [name]: value } } }),
      ),
    );
    expect(refused).toEqual([]);
    const agent = await ada.agents.get({ params });
    expect(agent.adapterConfig).toEqual({ ...program.adapterConfig, ...Object.fromEntries(settings) });
    expect([agent.revisionNumber, versionOf(agent)]).toEqual([many + 1, many + 1]);
    const { items } = await ada.configurations.listRevisions({ params, query: { limit: 200 } });
    const changed = items.filter(({ source }) => source === "update").flatMap((revision) => revision.changed);
    expect(changed.sort()).toEqual(settings.map(([name]) => `adapterConfig.${name}`).sort());
  });

  test("what a refused change is told holds no secret, and an agent is told no more than it may read", async () => {
    const value = "svk-lost-update-0123456789abcdef";
    const adapterConfig = { ...program.adapterConfig, env: { API_TOKEN: value } };
    const agent = await ada.agents.create({
      params: { companyId },
      body: { name: "Keeper", ...program, adapterConfig },
    });
    const params = { agentId: agent.id };
    await ada.agents.change({ params, body: { title: "Keeper" } });
    const late = await outcomesOf([bo.agents.change({ params, body: { title: "Late" }, ifMatch: versionOf(agent) })]);
    const [refusal] = late.refused;
    expect(refusal?.fix?.["present"]).toEqual(await bo.agents.get({ params }));
    expect(JSON.stringify(refusal?.fix)).not.toContain(value);
    const { token } = await ada.agentKeys.create({ params, body: {} });
    const worker = server.as(token ?? "");
    const issue = await newIssue();
    await ada.issues.change({ params: { issueId: issue.id }, body: { title: "Another" } });
    const change = { params: { issueId: issue.id }, body: { title: "Late" }, ifMatch: versionOf(issue) };
    const stale = await outcomesOf([worker.issues.change(change)]);
    expect(stale.refused[0]?.fix?.["present"]).toEqual(await worker.issues.get({ params: { issueId: issue.id } }));
  });

  describe("an approval", () => {
    const asked = async (): Promise<Approval> => {
      const payload = { title: "A bigger machine", body: "The small one is full." };
      const body = { type: "board_request", payload } as const;
      return await ada.approvals.request({ params: { companyId }, body });
    };
    const read = async (who: Client, { id }: Entity) => who.approvals.get({ params: { approvalId: id } });

    test("that went back and came again is not decided on what was seen before", async () => {
      const approval = await asked();
      const params = { approvalId: approval.id };
      const seen = versionOf(await read(bo, approval));
      await ada.approvals.requestRevision({ params, body: {}, ifMatch: seen });
      const payload = { body: "The small one is full, and slow." };
      const again = await ada.approvals.resubmit({ params, body: { payload }, ifMatch: seen + 1 });
      const { refused } = await outcomesOf([bo.approvals.approve({ params, body: {}, ifMatch: seen })]);
      expect(refused[0]).toMatchObject({ status: 412, fix: { etag: `"${seen + 2}"`, present: again } });
      await bo.approvals.approve({ params, body: {}, ifMatch: seen + 2 });
      expect(await read(ada, approval)).toMatchObject({
        status: "approved",
        payload: { ...again.payload, ...payload },
      });
    });

    test("P3: of opposite decisions on the same version one wins, whoever sends it and however often", async () => {
      const approval = await asked();
      const params = { approvalId: approval.id };
      const ifMatch = versionOf(approval);
      const verdicts = ["approve", "reject"] as const;
      const calls = Array.from({ length: 10 }, (_, n) =>
        (n < 5 ? ada : bo).approvals[verdicts[n % 2 === 0 ? 0 : 1]]({ params, body: {}, ifMatch }),
      );
      const { answered, refused } = await outcomesOf(calls);
      const final = await read(ada, approval);
      expect(answered.map(({ status }) => status)).toEqual(answered.map(() => final.status));
      expect([answered.length, refused.length]).toEqual([5, 5]);
      expect(refused.map(({ code }) => code)).toEqual(refused.map(() => "already_decided"));
      expect(await entriesOf(approval)).toBe(2);
    });

    test("that is sent back and changed by two at once keeps the one change, and tells the other", async () => {
      const approval = await asked();
      const params = { approvalId: approval.id };
      const { id } = await ada.approvals.requestRevision({ params, body: {}, ifMatch: versionOf(approval) });
      const sent = versionOf(await read(bo, { id }));
      const { answered, refused } = await outcomesOf([
        ada.approvals.resubmit({ params, body: { payload: { title: "Two machines" } }, ifMatch: sent }),
        bo.approvals.resubmit({ params, body: { payload: { body: "One is not enough." } }, ifMatch: sent }),
      ]);
      expect([answered.length, refused.map(({ code }) => code)]).toEqual([1, ["wrong_state"]]);
      expect((await read(ada, approval)).payload).toEqual(answered[0]?.payload);
      expect(answered[0]?.payloadVersion).toBe(2);
    });
  });
});

test("of many who give a member another role one wins, also in a company that nobody owns yet", async () => {
  const server = await startTestServer();
  try {
    const { board } = server;
    const { id: companyId } = await board.companies.create({ body: { name: "Acme" } });
    await invited(server, board, { companyId, role: "viewer", email: "bo@example.com" });
    const [member] = (await board.members.list({ params: { companyId } })).items;
    const params = { companyId, memberId: member?.id ?? "" };
    const ifMatch = versionOf(await board.members.get({ params }));
    const roles = ["operator", "admin"] as const;
    const calls = Array.from({ length: 10 }, (_, n) =>
      board.members.change({ params, body: { role: roles[n % 2 === 0 ? 0 : 1] }, ifMatch }),
    );
    const { answered, refused } = await outcomesOf(calls);
    expect([answered.length, refused.map(({ status }) => status)]).toEqual([1, Array.from({ length: 9 }, () => 412)]);
    expect(await board.members.get({ params })).toEqual(answered[0]);
  } finally {
    await server.close();
  }
});
