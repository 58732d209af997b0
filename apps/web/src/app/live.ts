import type { ActivityEntry } from "@roster/client";
import { contract } from "@roster/contract";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { staleAfter } from "../api/refetch.ts";

// As long as several entries of one change take to arrive.
const gatherMs = 120;
const againMs = 2000;

/**
 * Follows the log of a company as long as somebody looks at the page, and has everything asked anew that an entry may
 * have changed. False while the connection is lost: it is made again by itself, and then everything is asked anew.
 */
export function useLive(companyId: string): boolean {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(true);
  useEffect(() => {
    const feed = new Feed(companyId, queries, setLive);
    // A browser has few connections to one server: pages that nobody sees hold none.
    const look = (): void => (document.hidden ? feed.close() : feed.open());
    look();
    document.addEventListener("visibilitychange", look);
    window.addEventListener("online", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("online", look);
      feed.close();
    };
  }, [companyId, queries]);
  return isLive;
}

class Feed {
  readonly #address: string;
  readonly #queries: QueryClient;
  readonly #tell: (isLive: boolean) => void;
  #source: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #gathered: ActivityEntry[] = [];
  #isRefreshing = false;

  constructor(companyId: string, queries: QueryClient, tell: (isLive: boolean) => void) {
    this.#address = contract.activity.events.path.replace(":companyId", encodeURIComponent(companyId));
    this.#queries = queries;
    this.#tell = tell;
  }

  open(): void {
    this.close();
    const source = new EventSource(this.#address);
    this.#source = source;
    source.onopen = () => {
      this.#tell(true);
      // What happened while nobody listened is not told again.
      void this.#queries.invalidateQueries();
    };
    source.onmessage = ({ data }: MessageEvent<string>) => this.#hear(JSON.parse(data) as ActivityEntry);
    source.onerror = () => {
      this.#tell(false);
      // The browser tries again by itself, but for what was answered with a refusal.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#timer = setTimeout(() => this.open(), againMs);
      this.#askWhetherWelcome();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  /** Who was signed out elsewhere, or is no member any more, is shown that at once. */
  #askWhetherWelcome(): void {
    for (const resource of ["auth", "companies"]) void this.#queries.invalidateQueries({ queryKey: [resource] });
  }

  #hear(entry: ActivityEntry): void {
    this.#gathered.push(entry);
    if (this.#gathered.length === 1 && !this.#isRefreshing) setTimeout(() => void this.#refresh(), gatherMs);
  }

  /** One at a time: however much happens, nothing is asked anew before it was answered. */
  async #refresh(): Promise<void> {
    this.#isRefreshing = true;
    while (this.#gathered.length > 0) {
      const stale = staleAfter(this.#gathered.splice(0));
      await this.#queries.invalidateQueries({ predicate: ({ queryKey }) => stale.has(String(queryKey[0])) });
    }
    this.#isRefreshing = false;
  }
}
