import { allOperations } from "@roster/contract";
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
  if (!isLocalHost(request)) {
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

/** True where the `Host` is a name of this machine with the port that was called. */
function isLocalHost(request: FastifyRequest): boolean {
  const [, name, port = "80"] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(request.headers.host ?? "") ?? [];
  return name !== undefined && localNames.has(name.toLowerCase()) && port === String(request.socket.localPort);
}

const probes = new Set<string>(allOperations().flatMap(({ operation: { probe, path } }) => (probe ? [path] : [])));

/** True for what watches this server: it calls each by its own address, and brings no cookie that a page could use. */
const isProbe = ({ routeOptions }: FastifyRequest): boolean => probes.has(routeOptions.url ?? "");

/** What a guard of authenticated mode compares requests with. */
export interface OwnAddress {
  /** Where people reach this server; known once it listens. */
  readonly publicUrl: () => string;
}

/**
 * Authenticated mode answers requests addressed to its public address, and to this machine for what runs here beside it.
 * A browser sends a cookie along whoever made the page: so a change with a cookie must name an own origin, and no change
 * may name another.
 */
export function guardLogin({ publicUrl }: OwnAddress): (request: FastifyRequest) => void {
  return (request) => {
    const own = new URL(publicUrl());
    const { host = "", origin, cookie, authorization } = request.headers;
    const isPublic = host.toLowerCase() === own.host;
    if (!isPublic && !isLocalHost(request) && !isProbe(request)) {
      throw new Refusal("forbidden", "Roster answers only requests addressed to its public address.", {
        details: [{ path: "host", message: `is "${host}"`, allowed: [own.host] }],
      });
    }
    if (request.method === "GET" || request.method === "HEAD") return;
    const allowed = isPublic ? [own.origin] : [own.origin, `http://${host}`];
    const mustSay = cookie !== undefined && authorization === undefined;
    const isOwn = origin === undefined ? !mustSay : allowed.includes(origin);
    if (isOwn && request.headers["sec-fetch-site"] !== "cross-site") return;
    throw new Refusal("forbidden", "A change with a cookie must come from a page of this service: send its Origin.", {
      details: [{ path: "origin", message: origin === undefined ? "is missing" : `is "${origin}"`, allowed }],
    });
  };
}
