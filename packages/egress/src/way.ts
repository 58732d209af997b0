import { lookup } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { plainAddress, reachOf } from "./address.ts";
import { type AllowEntry, webPorts } from "./allow-list.ts";
import { EgressFault, faultOf } from "./egress-fault.ts";

/** All addresses of a name; throws when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** An address that may be connected to, and nothing else: whoever holds one does not resolve again. */
export interface Way {
  readonly url: URL;
  readonly addresses: readonly string[];
}

const connectMs = 10_000;
const notWeb = "is neither https nor http";
const isWeb = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:";

/** What the system's own resolver says. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Resolves the host of an address once and checks everything that it leads to; throws {@link EgressFault}. */
export async function findWay(
  { resolve, allowed }: { readonly resolve: Resolve; readonly allowed: readonly AllowEntry[] },
  url: URL,
  signal: AbortSignal,
): Promise<Way> {
  if (!isWeb(url)) throw new EgressFault("refused", notWeb);
  if (url.username !== "" || url.password !== "") {
    throw new EgressFault("refused", "holds credentials, which are never sent");
  }
  const host = hostOf(url);
  const found = isIP(host) === 0 ? await orAborted(resolve(host), signal) : [host];
  const addresses = found.map((address) => plainAddress(address) ?? "");
  if (addresses.length === 0) throw new EgressFault("away", "could not be reached (its name has no address)");
  const reason = reasonAgainst(url, addresses, allowed);
  if (reason !== null) throw new EgressFault("refused", reason);
  return { url, addresses };
}

/**
 * Why this address may not be connected to, or null. The web is open: https at the ports 80 and 443 of public addresses.
 * Everything else is what an entry of the operator's list opens, and each address the name has must be open. The reason
 * does not name the addresses: what a name leads to inside is nobody's business outside. Pure.
 */
export function reasonAgainst(url: URL, addresses: readonly string[], allowed: readonly AllowEntry[]): string | null {
  if (!isWeb(url)) return notWeb;
  const [host, port] = [hostOf(url), portOf(url)];
  for (const address of addresses) {
    const reach = reachOf(address);
    const openings = allowed.map((entry) => entry({ host, address, port }));
    if (openings.includes("addressed") || (openings.includes("named") && reach !== "special")) continue;
    if (reach !== "public") return "leads to an address that is not public";
    if (url.protocol !== "https:") return "is not https";
    if (!webPorts.includes(port)) return "names a port other than 80 and 443";
  }
  return null;
}

/** Connects to the first of the checked addresses that answers. Whoever takes the socket ends it. */
export async function dial({ url, addresses }: Way, signal: AbortSignal): Promise<Socket> {
  let fault = new EgressFault("away", "could not be reached");
  for (const address of addresses) {
    try {
      return await connected(address, portOf(url), signal);
    } catch (error) {
      signal.throwIfAborted();
      fault = faultOf(error);
    }
  }
  throw fault;
}

function connected(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({ host: address, port });
    const settle = (error?: unknown): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      if (error !== undefined) socket.destroy();
      if (error === undefined) resolve(socket);
      else reject(error);
    };
    const abort = (): void => settle(signal.reason);
    const timer = setTimeout(() => settle(new EgressFault("away", "did not answer in time")), connectMs);
    signal.addEventListener("abort", abort, { once: true });
    socket.once("connect", () => settle());
    // Stays, so that nobody has to listen for what happens before the socket is used.
    socket.on("error", settle);
  });
}

/** Waits, but no longer than the signal lets it: a resolver cannot be told to stop. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The host of an address as it is resolved: without brackets, and without the dot of the root. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** The port of an address, said or not. */
export const portOf = ({ port, protocol }: URL): number => {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
};

/** The address that a text is, or null. */
export const urlOf = (text: string, base?: URL): URL | null =>
  URL.canParse(text, base?.href) ? new URL(text, base) : null;
