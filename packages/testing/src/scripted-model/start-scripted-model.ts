import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { Dialect, Question, StreamedEvent } from "./dialect.ts";
import { generateContentApi } from "./generate-content-api.ts";
import { messagesApi } from "./messages-api.ts";
import { responsesApi } from "./responses-api.ts";
import { lastTurn, type ScriptedTurn, type Turn } from "./turn.ts";

/** A model that says what a script tells it to, however it is asked. */
export interface ScriptedModel {
  /** Without a path: programs add what their provider's API has. */
  readonly url: string;
  /** What it was asked, in order. */
  readonly questions: readonly Question[];
  /** What it says from now on, each turn once and in order; what was left of before is forgotten. */
  play(...turns: readonly ScriptedTurn[]): void;
  close(): Promise<void>;
}

const dialects: readonly Dialect[] = [messagesApi, responsesApi, generateContentApi];

/**
 * Starts a model on loopback that speaks the APIs of Anthropic, OpenAI and Google, as far as programs that work on their
 * own use them. A turn is taken by whoever asks next; where none is left, it says that there is nothing more to do.
 */
export async function startScriptedModel(...turns: readonly ScriptedTurn[]): Promise<ScriptedModel> {
  let script = [...turns];
  const questions: Question[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", "http://model");
    const dialect = dialects.find(({ speaks }) => speaks(pathname));
    const said = await text(request);
    if (request.method !== "POST" || dialect === undefined) {
      response.writeHead(request.method === "HEAD" ? 200 : 404).end();
      return;
    }
    const question = { path: pathname, key: keyOf(request), body: JSON.parse(said) as Question["body"] };
    questions.push(question);
    // Programs also ask for titles and summaries; only who may do something is asked to work.
    const next = (hasTools(question) ? script.shift() : undefined) ?? lastTurn;
    const turn = typeof next === "function" ? next(dialect.printed(question.body)) : next;
    await tell(response, { dialect, question, turn });
  };
  const server = createServer((request, response) => {
    // Whoever asks may be gone before it is answered.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    questions,
    play: (...next) => {
      script = [...next];
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface Telling {
  readonly dialect: Dialect;
  readonly question: Question;
  readonly turn: Turn;
}

async function tell(response: ServerResponse, { dialect, question, turn }: Telling): Promise<void> {
  if ("refusal" in turn) {
    const { refusal, retryAfterSec, message = "The script refuses." } = turn;
    const later = retryAfterSec === undefined ? {} : { "retry-after": String(retryAfterSec) };
    response.writeHead(refusal, { "content-type": "application/json", ...later });
    response.end(JSON.stringify(dialect.refusal(refusal, message)));
    return;
  }
  if ("afterMs" in turn) await pause(turn.afterMs);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const lines = dialect.events(turn, question).map(lineOf).join("");
  if ("cutOff" in turn) response.write(lines, () => response.destroy());
  else response.end(lines);
}

function hasTools({ body: { tools } }: Question): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

function lineOf({ name, data }: StreamedEvent): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function keyOf({ headers }: IncomingMessage): string | null {
  const key = headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers.authorization?.replace(/^Bearer /, "");
  return typeof key === "string" ? key : null;
}
