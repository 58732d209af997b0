import type { FastifyRequest } from "fastify";
import { Refusal } from "../refusal.ts";

const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Local trusted mode answers whoever reaches it, so it must be sure that no web page does: the `Host` must be this
 * machine (against DNS rebinding), and a change must not come from another origin.
 */
export function guardLocal(request: FastifyRequest): void {
  const host = request.headers.host ?? "";
  const port = String(request.socket.localPort);
  const [, name, givenPort = "80"] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [];
  if (name === undefined || !localNames.has(name.toLowerCase()) || givenPort !== port) {
    throw new Refusal("forbidden", "In local trusted mode Roster answers only requests addressed to this machine.", {
      details: [{ path: "host", message: `is "${host}"`, allowed: [...localNames].map((local) => `${local}:${port}`) }],
    });
  }
  if (request.method === "GET" || request.method === "HEAD") return;
  const { origin } = request.headers;
  const foreign = origin !== undefined && origin !== `http://${host}`;
  if (foreign || request.headers["sec-fetch-site"] === "cross-site") {
    throw new Refusal("forbidden", "A page of another origin may not change anything here.", {
      details: [{ path: "origin", message: `is "${origin ?? "cross-site"}"`, allowed: [`http://${host}`] }],
    });
  }
}
