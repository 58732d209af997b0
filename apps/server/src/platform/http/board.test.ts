import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FastifyInstance, fastify } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveBoard } from "./board.ts";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("the board, beside the API", () => {
  let folder: string;
  let app: FastifyInstance;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "roster-web-"));
    await mkdir(join(folder, "assets"));
    await writeFile(join(folder, "index.html"), "<!doctype html><title>Roster</title>");
    await writeFile(join(folder, "assets", "main-abc.js"), "export {};");
    await writeFile(join(folder, "assets", "main-abc.js.br"), "compressed");
    app = fastify();
    app.get("/", () => "welcome");
    app.get("/api/health", () => ({ status: "ok" }));
    serveBoard(app, folder);
    await app.ready();
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  const get = (url: string, accept = browser, more: Record<string, string> = {}) =>
    app.inject({ url, headers: { accept, ...more } });

  test("a browser gets the page at every address of the board; who asks for no page gets what was there before", async () => {
    for (const url of ["/", "/ACM", "/ACM/issues/ACM-12?status=todo", "/design", "/API/issues"]) {
      const answer = await get(url);
      expect([answer.statusCode, answer.headers["content-type"]], url).toEqual([200, "text/html; charset=utf-8"]);
      expect(answer.headers["cache-control"], url).toBe("no-cache");
      expect(answer.headers.vary, url).toBe("accept");
    }
    expect((await get("/", "*/*")).body).toBe("welcome");
    expect((await get("/ACM", "*/*")).statusCode).toBe(404);
  });

  test("nothing of the API, of the documents and of the probes is ever a page", async () => {
    expect((await get("/api/health")).json()).toEqual({ status: "ok" });
    for (const url of [
      "/api",
      "/api/nowhere",
      "/llms.txt",
      "/llms/agent-work.txt",
      "/livez",
      "/readyz",
      "/assets/no.js",
    ])
      expect((await get(url)).statusCode, url).toBe(404);
    expect((await app.inject({ method: "POST", url: "/ACM", headers: { accept: browser } })).statusCode).toBe(404);
  });

  test("the page may run its own scripts alone, reach its own origin alone, and be framed by nobody", async () => {
    const { headers } = await get("/");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(headers["referrer-policy"]).toBe("no-referrer");
  });

  test("assets are kept for ever, compressed where the browser takes that, and nothing beside them is served", async () => {
    const asset = await get("/assets/main-abc.js", "*/*");
    expect([asset.statusCode, asset.body]).toEqual([200, "export {};"]);
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const small = await get("/assets/main-abc.js", "*/*", { "accept-encoding": "br, gzip" });
    expect([small.headers["content-encoding"], small.body]).toEqual(["br", "compressed"]);
    for (const url of ["/assets/../index.html", "/assets/%2e%2e/index.html", "/assets/"])
      expect((await get(url, "*/*")).statusCode, url).toBeGreaterThanOrEqual(400);
  });

  test("where the board was not built there is none, and the API is as it was", async () => {
    const bare = fastify();
    bare.get("/", () => "welcome");
    serveBoard(bare, join(folder, "nowhere"));
    const answer = await bare.inject({ url: "/", headers: { accept: browser } });
    expect(answer.body).toBe("welcome");
    await bare.close();
  });
});
