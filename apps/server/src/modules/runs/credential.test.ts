import type { Client } from "@roster/client";
import { localBoardUserId, type RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  credentialOf,
  type RunGround,
  startRunGround,
  type TestCompany,
  type TestRunner,
} from "../../../test/run-ground.ts";
import { keysOf } from "../../platform/secrets/index.ts";
import { signCredential } from "./index.ts";

describe("the credential of a run", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const claimed = async (): Promise<RunOrder> => {
    company = await ground.company();
    runner = await company.runner();
    await ground.wake((await company.agent({ name: "Ada" })).id);
    return runner.take();
  };
  const code = (client: Client): Promise<string> =>
    client.agents.me().then(
      () => "good",
      (error: { code: string }) => error.code,
    );
  const claimsOf = ({ companyId, runId, agentId, epoch }: RunOrder) => ({ companyId, id: runId, agentId, epoch });
  const now = () => ({ claimedAt: new Date(), lastsSec: 60 });

  test("P6: it is good from the claim on, on every server, and says which run it is", async () => {
    const sibling = await ground.sibling();
    const order = await claimed();
    const { runId, agentId } = order;
    for (const server of [ground.server, sibling]) {
      expect(await ground.inRun(order, server).agents.me()).toMatchObject({
        id: agentId,
        company: { id: company.id },
        currentRun: { id: runId, issueId: null, approvalId: null, startedAt: null },
      });
    }
    await runner.start(order);
    const { startedAt } = await ground.run(runId);
    expect((await ground.inRun(order).agents.me()).currentRun).toMatchObject({ id: runId, startedAt });
    expect((await (await ground.key(agentId)).agents.me()).currentRun).toBeNull();
  });

  test("P6: it is dead at once, on every server, however its run ends or is stopped, and stays so", async () => {
    const sibling = await ground.sibling();
    const { agents, companies, runs } = ground.board;
    const ends: Record<string, (order: RunOrder) => Promise<unknown>> = {
      settled: (order) => runner.settle(order),
      cancelled: ({ runId }) => runs.cancel({ params: { runId } }),
      "agent paused": ({ agentId }) => agents.pause({ params: { agentId } }),
      "agent paused and resumed": async ({ agentId }) => {
        await agents.pause({ params: { agentId } });
        await agents.resume({ params: { agentId } });
      },
      "agent terminated": ({ agentId }) => agents.terminate({ params: { agentId } }),
      "company paused": ({ companyId }) => companies.pause({ params: { companyId } }),
      "company paused and resumed": async ({ companyId }) => {
        await companies.pause({ params: { companyId } });
        await companies.resume({ params: { companyId } });
      },
      "company archived": ({ companyId }) => companies.archive({ params: { companyId } }),
      lost: async ({ runId }) => {
        await runner.start({ runId, epoch: 1 });
        await ground.expire(runId);
        await ground.reap();
      },
      "returned to the queue": async ({ runId }) => {
        await ground.expire(runId);
        await ground.reap();
      },
      "claimed anew": async ({ runId }) => {
        await ground.expire(runId);
        await ground.reap();
        expect(await code(ground.inRun(await (await company.runner()).take()))).toBe("good");
      },
    };
    for (const [name, end] of Object.entries(ends)) {
      const order = await claimed();
      expect(await code(ground.inRun(order, sibling)), name).toBe("good");
      await end(order);
      expect(await code(ground.inRun(order)), name).toBe("run_ended");
      expect(await code(ground.inRun(order, sibling)), name).toBe("run_ended");
      const write = () =>
        ground.inRun(order).issues.create({ params: { companyId: company.id }, body: { title: "x" } });
      expect((await ground.refused("run_ended", write)).status).toBe(401);
    }
  });

  test("past the time that its run may take it is refused as expired", async () => {
    const order = await claimed();
    const past = { claimedAt: new Date(Date.now() - 3_600_000), lastsSec: 60 };
    const late = ground.server.as(await signCredential(ground.server.keys, claimsOf(order), past));
    await expect(late.agents.me()).rejects.toMatchObject({ status: 401, code: "credential_expired" });
    const good = ground.server.as(await signCredential(ground.server.keys, claimsOf(order), now()));
    expect(await code(good)).toBe("good");
  });

  test("P6: one that this service did not sign is no credential: another key, no signature, changed words, another algorithm", async () => {
    const order = await claimed();
    const [header = "", payload = "", signature = ""] = credentialOf(order).split(".");
    const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const forged = [
      await signCredential(keysOf(Buffer.alloc(32, 7)), claimsOf(order), now()),
      [json({ alg: "none" }), payload, signature].join("."),
      [json({ alg: "none" }), payload, ""].join("."),
      [json({ alg: "HS512" }), payload, signature].join("."),
      [header, json({ ...claims, epoch: 2 }), signature].join("."),
      [header, payload, signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))].join("."),
      [header, payload].join("."),
    ];
    for (const token of forged) expect(await code(ground.server.as(token))).toBe("unauthenticated");
    expect(await code(ground.inRun(order))).toBe("good");
  });

  test("a credential for a run that is not, or under another number or company, opens nothing", async () => {
    const order = await claimed();
    const { id: other } = await ground.company();
    for (const changed of [{ id: localBoardUserId }, { epoch: 2 }, { epoch: 0 }, { companyId: other }]) {
      const token = await signCredential(ground.server.keys, { ...claimsOf(order), ...changed }, now());
      expect(await code(ground.server.as(token))).toBe("run_ended");
    }
    const { agentId: _, ...rest } = claimsOf(order);
    const stranger = await company.agent();
    const posing = ground.server.as(await signCredential(ground.server.keys, { ...rest, agentId: stranger.id }, now()));
    expect((await posing.agents.me()).id).toBe(order.agentId);
  });

  test("P2, P9: what is done with it is in the log under its agent, with the run and the chain that led to it", async () => {
    const order = await claimed();
    const asAda = ground.inRun(order);
    const issue = await asAda.issues.create({ params: { companyId: company.id }, body: { title: "By a run" } });
    await asAda.issues.checkout({ params: { issueId: issue.id }, body: { agentId: order.agentId } });
    await asAda.issues.addComment({ params: { issueId: issue.id }, body: { body: "On it." } });
    const entries = await company.log();
    const woken = entries.find(({ action }) => action === "agent.woken");
    const byRun = entries.filter(({ actor }) => actor.kind === "agent");
    expect(byRun.map(({ action }) => action)).toEqual([
      "issue.created",
      "issue.checked_out",
      "issue.assigned",
      "comment.created",
    ]);
    const cause = { seq: woken?.seq, rootSeq: woken?.seq, hops: 1 };
    for (const entry of byRun) {
      expect(entry).toMatchObject({ actor: { id: order.agentId, name: "Ada", runId: order.runId }, cause });
    }
    const { checkout } = await ground.board.issues.get({ params: { issueId: issue.id } });
    expect(checkout).toMatchObject({ agentId: order.agentId, runId: order.runId });
  });

  test("P1: it reaches nothing of another company, by no path and in no body", async () => {
    const order = await claimed();
    const asAda = ground.inRun(order);
    const other = await ground.company();
    const foreign = await other.issue();
    const { id: agentId } = await other.agent();
    await ground.refused("other_company", () => asAda.issues.get({ params: { issueId: foreign.id } }));
    await ground.refused("other_company", () => asAda.runs.wakeup({ params: { agentId }, body: {} }));
    await ground.refused("other_company", () => asAda.runs.list({ params: { companyId: other.id } }));
    await ground.refused("other_company", () =>
      asAda.issues.create({ params: { companyId: company.id }, body: { title: "x", parentId: foreign.id } }),
    );
  });

  test("it does what its agent may, and no more: nothing of the board's, nothing of a runner's", async () => {
    const order = await claimed();
    const asAda = ground.inRun(order);
    await ground.refused("forbidden", () => asAda.agents.pause({ params: { agentId: order.agentId } }));
    await ground.refused("forbidden", () => asAda.runners.claim({ body: { capacity: 1 } }));
    await ground.refused("forbidden", () => asAda.companies.pause({ params: { companyId: company.id } }));
  });
});
