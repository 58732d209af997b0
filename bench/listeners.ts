// Those who follow the log of a company, all in a process of their own.
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { answerParent } from "./child.ts";

/** Who is to listen, and where. */
export interface Listening {
  readonly url: string;
  readonly companyId: string;
  readonly count: number;
}

/** How many entries everybody is to have heard before this is answered. */
export interface Hearing {
  readonly entries: number;
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
const open: IncomingMessage[] = [];
const delays: number[] = [];
let told: () => void = () => undefined;

async function listen({ url, companyId, count }: Listening): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const headers = { accept: "text/event-stream" };
    const asked = get(`${url}/api/companies/${companyId}/events`, { agent, headers });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`a listener was answered ${response.statusCode}`);
    open.push(response);
    let rest = "";
    response.setEncoding("utf8").on("data", (piece: string) => {
      const blocks = (rest + piece).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) hear(block);
    });
    response.on("error", () => undefined);
  }
}

/** Notes how long an entry took from its row, which is written just before its commit, to here. */
function hear(block: string): void {
  const at = /"createdAt":"([^"]+)"/.exec(block)?.[1];
  if (at === undefined) return;
  delays.push(performance.timeOrigin + performance.now() - Date.parse(at));
  told();
}

async function heard({ entries }: Hearing): Promise<number[]> {
  const wanted = entries * open.length;
  await new Promise<void>((resolve) => {
    told = () => delays.length >= wanted && resolve();
    told();
  });
  return delays;
}

answerParent(
  async (question) =>
    "url" in question ? listen(question as unknown as Listening) : heard(question as unknown as Hearing),
  async () => agent.destroy(),
);
