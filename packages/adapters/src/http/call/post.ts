import type { IncomingMessage } from "node:http";
import { askOver, type Egress, type Line, requirePlain } from "@roster/egress";
import { Webhook } from "standardwebhooks";
import type { CallInput } from "../call-input.ts";

/** One of the two calls: what it is known by, so that a repeat is recognised, and its body. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/** For how long nothing may be heard before the other end is asked whether it is there: an answer may take hours. */
const keepAliveMs = 30_000;

/** A connection to the receiver, within the time that it has to accept one. Throws `EgressFault`. */
export async function connect(egress: Egress, input: CallInput, signal: AbortSignal): Promise<Line> {
  const late = AbortSignal.timeout(input.connectWithinSec * 1000);
  const line = await egress.connect(new URL(input.url), AbortSignal.any([signal, late]));
  line.socket.setKeepAlive(true, keepAliveMs);
  return line;
}

/** Sends a message and resolves with the head of its answer. */
export async function post(
  line: Line,
  input: CallInput,
  message: Message,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = {
    "user-agent": "roster",
    accept: "application/json, text/plain;q=0.9, */*;q=0.1",
    ...input.headers,
    "content-type": "application/json",
    ...signed(input, message),
  };
  const answer = await askOver(line, { method: "POST", headers, body: message.body, signal });
  requirePlain(answer);
  return answer;
}

/** As Standard Webhooks has them; without a secret the first two all the same, by which a repeat is known. Not pure: a clock. */
function signed({ signingSecret }: CallInput, { id, body }: Message): Record<string, string> {
  const at = new Date();
  const named = { "webhook-id": id, "webhook-timestamp": String(Math.floor(at.getTime() / 1000)) };
  if (signingSecret === null) return named;
  return { ...named, "webhook-signature": new Webhook(signingSecret).sign(id, at, body) };
}
