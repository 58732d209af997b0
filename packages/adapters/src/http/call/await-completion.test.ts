import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { CallInput } from "../call-input.ts";
import { awaitCompletion } from "./await-completion.ts";

const event = (seq: number, body: object): string => `id: ${seq}\ndata: ${JSON.stringify({ seq, ...body })}\n\n`;
const completed = { kind: "result", stream: null, data: { status: "failed", text: "No disk." } };

/** A service that answers each question as the next of these; answers what was asked. */
async function service(...answers: ((answer: ServerResponse) => unknown)[]) {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url, headers }, answer) => {
    asked.push(`${url} ${headers.authorization}`);
    answers.shift()?.(answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const input = { runId: "r-1", service: { url: `http://127.0.0.1:${port}/`, key: "k" } } as CallInput;
  return { asked, input };
}

const calm = new AbortController().signal;

test("however often the connection breaks, it goes on after the last event, until one says how the run came out", async () => {
  const { asked, input } = await service(
    (answer) => answer.writeHead(503).end("{}"),
    (answer) => answer.end(event(1, { kind: "message", stream: "stdout", data: {} })),
    (answer) => answer.destroy(),
    (answer) => answer.write(event(2, { ...completed, stream: "stdout" }) + event(3, completed)),
  );
  expect(await awaitCompletion(input, calm)).toEqual({ hasSucceeded: false, words: "No disk." });
  const path = "/api/heartbeat-runs/r-1/events?after=";
  expect(asked).toEqual([0, 0, 1, 1].map((after) => `${path}${after} Bearer k`));
});

test("a credential that is good no more, and the end of the run, are the end of waiting", async () => {
  for (const status of [401, 403, 404]) {
    const { input } = await service((answer) => answer.writeHead(status).end("{}"));
    expect(await awaitCompletion(input, calm)).toBeNull();
  }
  const { input } = await service((answer) => answer.write("event: end\ndata: {}\n\n"));
  expect(await awaitCompletion(input, calm)).toBeNull();
});

test("it is given up at once", async () => {
  const over = new AbortController();
  const { input } = await service(() => over.abort(new Error("given up")));
  await expect(awaitCompletion(input, over.signal)).rejects.toThrow();
});
