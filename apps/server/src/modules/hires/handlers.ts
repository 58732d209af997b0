import type { Contract } from "@roster/contract";
import type { HandlersOf } from "../../platform/http/index.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { presentAgent } from "../agents/index.ts";
import { presentApproval } from "../approvals/index.ts";
import { requestHire } from "./request-hire.ts";

/** Operations that hire. */
export const hireHandlers = (keys: Keys): HandlersOf<Contract["hires"]> => ({
  request: async (change, { body }) => {
    const { agent, approval } = await requestHire(change, keys, body);
    return { agent: presentAgent(agent), approval: approval && presentApproval(approval) };
  },
});
