import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { ActivityEntry } from "@roster/contract";

/** A connection that follows the log of a company, as it is: nothing is taken up again. */
export interface EventSource {
  /** Everything told so far, in the order in which it came. */
  readonly entries: readonly ActivityEntry[];
  /** The last number told, with an entry or without; null before the first. */
  readonly lastId: string | null;
  /** Resolves when so many entries, and any number, have been told; rejects when it ends before. */
  until(count: number): Promise<void>;
  /** Resolves when the connection has ended: true where an `end` said that no more will come. */
  readonly ended: Promise<boolean>;
  /** Cuts the connection. */
  cut(): void;
}

/** Where and how to follow. */
export interface Following {
  readonly url: string;
  readonly companyId: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Follows a company; resolves when the answer has begun. */
export async function openEvents({ url, companyId, query = "", headers = {} }: Following): Promise<EventSource> {
  const asked = request(`${url}/api/companies/${companyId}/events${query}`, {
    headers: { accept: "text/event-stream", ...headers },
  }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`following was answered ${response.statusCode}`);
  return read(response, () => asked.destroy());
}

function read(response: IncomingMessage, cut: () => void): EventSource {
  const entries: ActivityEntry[] = [];
  const waiting = new Set<() => void>();
  let [rest, lastId, isOver]: [string, string | null, boolean] = ["", null, false];
  response.setEncoding("utf8").on("data", (piece: string) => {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId;
      const data = /^data: (\{"seq".*)$/m.exec(block)?.[1];
      if (data !== undefined) entries.push(JSON.parse(data) as ActivityEntry);
      isOver ||= block.startsWith("event: end");
    }
    for (const look of waiting) look();
  });
  response.on("error", () => undefined);
  const ended = new Promise<boolean>((resolve) => response.once("close", () => resolve(isOver)));
  return {
    entries,
    get lastId() {
      return lastId;
    },
    until: (count) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (entries.length >= count && lastId !== null) resolve();
        };
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`it ended after ${entries.length} of ${count} entries`)));
      }),
    ended,
    cut,
  };
}
