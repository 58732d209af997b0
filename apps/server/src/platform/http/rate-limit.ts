import { isIPv6 } from "node:net";
import type { Operation } from "@roster/contract";
import { plainAddress } from "@roster/egress";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../refusal.ts";
import type { Caller } from "../scope.ts";
import type { Ask } from "./authorise.ts";
import { FixedWindows } from "./fixed-windows.ts";

/** How many requests are answered in a window, in a lane each; 0: as many as come. */
export interface RateLimits {
  /** Of one agent, with all its keys and runs. */
  readonly agent: number;
  /** Of one person. */
  readonly person: number;
  /** From one client address, of all that show no usable credential. */
  readonly address: number;
  /** Length of the window; 60, if not set. */
  readonly windowSec?: number | undefined;
}

/** What holds where people sign in. */
export const usualRateLimits: RateLimits = { agent: 1200, person: 6000, address: 600 };
/** What holds where whoever reaches the server is trusted. */
export const noRateLimits: RateLimits = { agent: 0, person: 0, address: 0 };

/** Counts requests and refuses those that are too many. */
export interface RateLimiter {
  /** Counts a request where its caller is counted, says so in the answer, and refuses it where it is one too many. */
  count(caller: Caller, request: FastifyRequest, reply: FastifyReply): void;
}

type LaneName = "agent" | "person" | "address";

const usualWindowSec = 60;
/** A window takes about a hundred bytes. */
const mostKeys = 50_000;
const words: Readonly<Record<LaneName, string>> = {
  agent: "This agent has",
  person: "You have",
  address: "Your address has",
};

/**
 * A limiter that counts in this process's memory: each of several servers allows as much. Runners are not counted; what
 * they tell is paced by what they run, and refused it would be lost. The headers are those of
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
export function createRateLimiter({ windowSec = usualWindowSec, ...quotas }: RateLimits): RateLimiter {
  const laneOf = (quota: number) => (quota > 0 ? new FixedWindows({ quota, windowSec, mostKeys }) : null);
  const lanes = { agent: laneOf(quotas.agent), person: laneOf(quotas.person), address: laneOf(quotas.address) };
  return {
    count(caller, { ip }, reply) {
      const [name, key] = placeOf(caller, ip);
      const lane = name && lanes[name];
      if (!lane) return;
      const { left, restSec } = lane.count(key, performance.now());
      const { quota } = lane.limits;
      reply.headers({
        "ratelimit-policy": `"${name}";q=${quota};w=${windowSec}`,
        ratelimit: `"${name}";r=${Math.max(left, 0)};t=${restSec}`,
      });
      if (left >= 0) return;
      const most = `more than ${quota} requests in ${windowSec} seconds`;
      throw new Refusal("rate_limited", `${words[name]} sent ${most}. Try again in ${restSec} seconds.`, {
        retryAfterSec: restSec,
      });
    },
  };
}

function placeOf(caller: Caller, address: string): [name: LaneName, key: string] | [name: null, key: ""] {
  if (caller.kind === "agent") return ["agent", caller.agentId];
  if (caller.kind === "board") return ["person", caller.userId];
  return caller.kind === "nobody" ? ["address", networkOf(address)] : [null, ""];
}

/** An address as far as it says who calls: whoever has one of the newer family has 2⁶⁴ of them. Pure. */
export function networkOf(address: string): string {
  const plain = plainAddress(address) ?? address;
  if (!isIPv6(plain)) return plain;
  const [head = "", tail = ""] = plain.split("::");
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const between = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return [...first, ...between, ...last].slice(0, 4).join(":");
}

const groupsOf = (text: string): string[] => (text === "" ? [] : text.split(":"));

/** A request on its way in. */
export interface Arrival {
  readonly operation: Operation;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Who asks for what, counted. Before anything else is looked at; what watches the service is not counted, and what shows
 * a bad credential is counted for its address.
 */
export async function askCounted(
  limiter: RateLimiter | undefined,
  { operation, request, reply }: Arrival,
  ask: () => Promise<Ask>,
): Promise<Ask> {
  if (limiter === undefined || operation.probe) return ask();
  try {
    const asked = await ask();
    limiter.count(asked.caller, request, reply);
    return asked;
  } catch (error) {
    const isStranger = error instanceof Refusal && error.status === 401;
    if (isStranger) limiter.count({ kind: "nobody" }, request, reply);
    throw error;
  }
}
