import { type AllowEntry, parseAllowList } from "./allow-list.ts";
import { type Line, openLine } from "./connection.ts";
import { EgressFault, faultOf } from "./egress-fault.ts";
import { fetchPage, type Page } from "./fetch-page.ts";
import { type EgressProxy, openProxy } from "./proxy.ts";
import { findWay, type Resolve, resolveBySystem, urlOf } from "./way.ts";

const mostRedirects = 5;

/** What one thing from outside may cost. */
export interface EgressLimits {
  readonly mostBytes: number;
  /** Ends it, with the reason that its abortion has. */
  readonly signal: AbortSignal;
}

/** The one way out: everything that this service asks of addresses that people and agents name goes through here. */
export interface Egress {
  /**
   * What is at an address, redirects followed, each of them checked like the first; whatever its status. Throws
   * {@link EgressFault}.
   */
  get(url: URL, limits: EgressLimits & { readonly headers?: Readonly<Record<string, string>> }): Promise<Page>;
  /**
   * A connection to an address, for one request whose answer may take long and be large, and whose redirect nobody
   * follows. Whoever takes it closes it. Throws {@link EgressFault}.
   */
  connect(url: URL, signal: AbortSignal): Promise<Line>;
  /** Throws {@link EgressFault} where an address may not be asked or leads nowhere; nothing is connected to. */
  requireOpen(url: URL, signal: AbortSignal): Promise<void>;
  /** A way for a program that makes its own requests: to this one address, wherever the program would go. */
  proxy(url: URL, limits: EgressLimits): Promise<EgressProxy>;
  /** Certificates that programs are to trust; undefined for those of the system. */
  readonly ca: string | undefined;
}

/** How a way out is made. */
export interface EgressOptions {
  /** The places that are open beside the public web, as the operator wrote them. */
  readonly allow?: string;
  readonly resolve?: Resolve;
  readonly ca?: string | undefined;
}

/** Makes the way out. Throws AllowListError for a list that cannot be read. */
export function createEgress({ allow = "", resolve = resolveBySystem, ca }: EgressOptions = {}): Egress {
  const allowed: readonly AllowEntry[] = parseAllowList(allow);
  const guard = { resolve, allowed };
  return {
    ca,
    get: (url, { headers = {}, ...limits }) =>
      asFault(async () => {
        let page = await fetchPage(await findWay(guard, url, limits.signal), { headers, ca, ...limits });
        for (let redirects = 0; page.movedTo !== null; redirects += 1) {
          if (redirects === mostRedirects) throw new EgressFault("away", `redirects more than ${mostRedirects} times`);
          const next = nextOf(page.url, page.movedTo);
          page = await fetchPage(await findWay(guard, next, limits.signal), { headers, ca, ...limits });
        }
        return page;
      }),
    connect: (url, signal) => asFault(async () => openLine(await findWay(guard, url, signal), { signal, ca })),
    requireOpen: (url, signal) => asFault(async () => void (await findWay(guard, url, signal))),
    proxy: (url, limits) => asFault(async () => openProxy(await findWay(guard, url, limits.signal), limits)),
  };
}

function nextOf(from: URL, location: string): URL {
  const next = urlOf(location, from);
  if (next === null) throw new EgressFault("away", "redirects to what is no address");
  if (from.protocol === "https:" && next.protocol !== "https:") {
    throw new EgressFault("refused", "redirects from https to what is not https");
  }
  return next;
}

async function asFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw faultOf(error);
  }
}
