import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const assets = "/assets/";

/** What the page of the board may do: nothing but load its own parts and call its own origin. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "x-frame-options": "DENY",
  // The page names its assets by their content: it is asked for anew each time, they never are.
  "cache-control": "no-cache",
} as const;

/** Addresses that programs call, whatever they say they accept: no page is there. */
const withoutPages = /^\/(?:api|llms|livez|readyz|metrics|assets)(?:[/.]|$)/;

/**
 * Serves the board, a single-page application, from the folder it was built into: its page at every address that a
 * browser asks for and that is none of the API, its assets below `/assets/`. To be called after the contract is mounted,
 * whose headers and guard come first. Without the folder there is no board, and nothing else changes.
 */
export function serveBoard(app: FastifyInstance, folder: string): void {
  const entry = join(folder, "index.html");
  if (!existsSync(entry)) return;
  const page = readFileSync(entry, "utf8");
  const sendPage = (reply: FastifyReply): FastifyReply =>
    reply.headers(pageHeaders).type("text/html; charset=utf-8").send(page);
  app.addHook("onRequest", async (request, reply) => {
    if (!isVisit(request)) return;
    // One address, two representations: the welcome of the API and this page.
    reply.header("vary", "accept");
    await sendPage(reply);
    return reply;
  });
  app.register(fastifyStatic, {
    root: join(folder, "assets"),
    prefix: assets,
    index: false,
    immutable: true,
    maxAge: "365d",
    preCompressed: true,
    decorateReply: false,
    setHeaders: (reply) => reply.header("cross-origin-resource-policy", "same-origin"),
  });
}

/** True for a browser that wants to see a page. */
function isVisit({ method, url, headers }: FastifyRequest): boolean {
  if (method !== "GET" || !(headers.accept ?? "").includes("text/html")) return false;
  const [path = ""] = url.split("?");
  return !withoutPages.test(path);
}
