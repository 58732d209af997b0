import { approvalTypes, env, type RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany } from "../../../test/run-ground.ts";

/** A call as the document writes it down. */
interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}

const callsIn = (document: string): Call[] =>
  Array.from(
    document.matchAll(/^- (GET|POST|PATCH) (http\S+)(?: (\{.*\}))?$/gm),
    ([, method = "", url = "", body]): Call => ({ method, url, body }),
  );

/** The variables of a run in the place of their names. */
const filledIn = (text: string, { service }: RunOrder): string =>
  text.replace(/\$(SERVICE_[A-Z_]+)/g, (whole, name: string) => service[name] ?? whole);

describe("an agent that knows nothing but the documents", () => {
  let ground: RunGround;
  let company: TestCompany;
  let order: RunOrder;
  let document: string;
  beforeAll(async () => {
    ground = await startRunGround();
    company = await ground.company();
    const runner = await company.runner();
    const agent = await company.agent({ budgetMonthlyCents: 5000 });
    await company.issue({ assigneeAgentId: agent.id });
    order = await runner.begin();
    document = await send({ method: "GET", url: "$SERVICE_API_URL/llms/agent-work.txt", body: undefined });
  });
  afterAll(() => ground.close());

  /** Sends a call as the document says; what the run is not for is not replaced. */
  async function send({ method, url, body }: Call): Promise<string> {
    const at = filledIn(url, order).replace(order.service[env("API_URL")] ?? "", ground.server.url);
    const answer = await fetch(at, {
      method,
      headers: {
        authorization: `Bearer ${order.service[env("API_KEY")]}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      body: body === undefined ? null : filledIn(body, order),
    });
    const text = await answer.text();
    expect(answer.ok, `${method} ${at}: ${text}`).toBe(true);
    return text;
  }

  test("finds its work, does it, hands some on, asks the board and books its costs, all as written there", async () => {
    const calls = callsIn(document);
    for (const call of calls) await send(call);
    expect(calls.length).toBeGreaterThan(10);
    const log = (await company.log()).filter(({ actor }) => actor.id === order.agentId).map(({ action }) => action);
    const done = ["issue.checked_out", "comment.created", "issue.released", "issue.moved", "issue.created"];
    const asked = ["approval.requested", "approval.linked", "cost.booked"];
    expect(log).toEqual(expect.arrayContaining([...done, "issue.assigned", ...asked]));
  });

  test("finds what it was woken for, and what it was assigned, by the calls that are to tell it", async () => {
    const [me, mine, issue] = await Promise.all(callsIn(document).slice(0, 3).map(send));
    expect(JSON.parse(me ?? "")).toMatchObject({ id: order.agentId, company: { id: company.id } });
    expect(JSON.parse(issue ?? "")).toMatchObject({ id: order.service[env("ISSUE_ID")] });
    const assignees = (JSON.parse(mine ?? "") as { assigneeAgentId: string }[]).map((one) => one.assigneeAgentId);
    expect(new Set(assignees)).toEqual(new Set([order.agentId]));
  });

  test("learns of every question that an agent may ask the board", async () => {
    const hiring = await ground.board.discovery.agentConfiguration();
    const bodies = callsIn(document).flatMap(({ body }) => (body?.includes('"type":') ? [body] : []));
    const asked = approvalTypes.filter((type) => type !== "hire_agent");
    for (const type of asked) expect(`${bodies.join("\n")}\n${hiring}`, type).toContain(`"${type}"`);
  });

  test("is led there by the index, and names nothing that a run does not have", async () => {
    expect(await ground.board.discovery.index()).toContain("/llms/agent-work.txt)");
    const named = Array.from(document.matchAll(/\$(SERVICE_\w+)/g), ([, name = ""]) => name);
    expect([...new Set(named)].filter((name) => order.service[name] === undefined)).toEqual([]);
    expect(document).toMatch(/[^\n]\n$/);
  });
});
