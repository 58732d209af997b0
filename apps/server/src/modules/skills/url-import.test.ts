import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createEgress } from "@roster/egress";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SkillGround, skillText, startSkillGround } from "../../../test/skill-ground.ts";

let server: Server;
let ground: SkillGround;
let companyId: string;
let url: string;
let answering: (response: ServerResponse) => void;
let asked: number;
beforeAll(async () => {
  server = createServer((_request, response) => {
    asked += 1;
    answering(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/skills/review/SKILL.md`;
  ground = await startSkillGround({ egress: createEgress({ allow: `127.0.0.1:${port}` }) });
});
afterAll(async () => {
  await ground.server.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  companyId = await ground.company();
  asked = 0;
  answering = (response) => response.writeHead(200, { "content-type": "text/markdown" }).end(skillText("Code review"));
});

const importFrom = (source: string) => ground.board.skills.import({ params: { companyId }, body: { source } });

describe("a SKILL.md at an address", () => {
  test("is a skill of one file; again it is the same one, changed a new version of it", async () => {
    const first = await importFrom(url);
    expect(first).toMatchObject({
      imported: [
        {
          key: "local/code-review",
          source: { type: "url", locator: url, ref: null },
          files: [{ path: "SKILL.md", kind: "skill" }],
        },
      ],
      warnings: [],
    });
    expect(await importFrom(url)).toEqual(first);
    answering = (response) => response.end(skillText("Code review", "Do it twice."));
    const second = await importFrom(url);
    expect(second).toMatchObject({ imported: [{ id: first.imported[0]?.id }], warnings: [] });
    expect(await ground.countsOf(companyId)).toEqual({ skills: 1, versions: 2, files: 2 });
    expect((await ground.logOf(companyId)).map(({ action }) => action)).toEqual(["skill.imported", "skill.updated"]);
  });

  test("that replaces a skill of another source says so", async () => {
    const files = { "SKILL.md": skillText("Code review", "Ours.") };
    await ground.board.skills.import({ params: { companyId }, body: { files } });
    expect((await importFrom(url)).warnings).toEqual(["local/code-review came from elsewhere before."]);
  });

  test("with a name without a Latin letter is called after its folder", async () => {
    answering = (response) => response.end(skillText("審査"));
    expect((await importFrom(url)).imported).toMatchObject([{ key: "local/review" }]);
  });
});

describe("an address is refused with 422, and nothing is written", () => {
  const githubToken = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const answers: [string, string, (response: ServerResponse) => void][] = [
    ["where nothing is", "unknown_reference", (response) => response.writeHead(404).end()],
    ["that is not public", "unknown_reference", (response) => response.writeHead(403).end()],
    ["whose server fails", "source_unavailable", (response) => response.writeHead(500).end()],
    ["whose server hangs up", "source_unavailable", (response) => response.destroy()],
    ["that redirects for ever", "source_unavailable", (response) => response.writeHead(302, { location: url }).end()],
    [
      "that redirects inside",
      "source_refused",
      (response) => response.writeHead(302, { location: "http://127.0.0.2/" }).end(),
    ],
    ["of more bytes than a skill may have", "source_unusable", (response) => response.end(Buffer.alloc(6 * 2 ** 20))],
    ["of no skill", "source_unusable", (response) => response.end("# Review")],
    ["of no text", "source_unusable", (response) => response.end(Buffer.from([0x2d, 0xff]))],
    [
      "of a page",
      "source_unusable",
      (response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<p>"),
    ],
    ["of a secret", "secret_in_text", (response) => response.end(skillText("x", githubToken))],
  ];

  test.each(answers)("%s: %s", async (_what, code, answer) => {
    answering = answer;
    const error: unknown = await importFrom(url).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 422, code, details: [{ path: expect.stringMatching(/^source/) }] });
    expect(JSON.stringify(error)).not.toContain(githubToken.slice(4));
    expect(await ground.countsOf(companyId)).toEqual({ skills: 0, versions: 0, files: 0 });
    expect(await ground.logOf(companyId)).toEqual([]);
  });

  test("that is not open, with the setting that would open it, before anything is asked", async () => {
    const refused = importFrom(url.replace("127.0.0.1", "127.0.0.2"));
    const fix = { setting: "SERVICE_EGRESS_ALLOW" };
    await expect(refused).rejects.toMatchObject({ status: 422, code: "source_refused", fix });
    expect(asked).toBe(0);
  });
});

test("an agent without canManageSkills asks nobody: 403", async () => {
  const agent = await ground.agentOf(companyId);
  const refused = agent.skills.import({ params: { companyId }, body: { source: url } });
  await expect(refused).rejects.toMatchObject({ status: 403, code: "forbidden" });
  expect(asked).toBe(0);
});

test("others are answered while one waits for its source", async () => {
  let finish: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    answering = (response) => {
      finish = () => void response.end(skillText("Slow"));
      resolve();
    };
  });
  const slow = importFrom(url);
  await begun;
  const files = { "SKILL.md": skillText("Quick") };
  const others = Array.from({ length: 10 }, () =>
    ground.board.skills.import({ params: { companyId }, body: { files } }),
  );
  expect(await Promise.all(others)).toHaveLength(10);
  finish();
  expect((await slow).imported).toMatchObject([{ key: "local/slow" }]);
});
