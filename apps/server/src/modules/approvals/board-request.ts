import { type BoardRequest, boardRequestRevision } from "@roster/contract";
import { refuseSecrets } from "../../platform/http/index.ts";
import { checked } from "../../platform/schema-check.ts";
import type { Proposal, QuestionEffects } from "./effects.ts";

/** Questions in words: nothing follows from their answers but that the one who asked is woken. */
export const boardRequestEffects: QuestionEffects<BoardRequest> = {
  ask: (_change, payload) => Promise.resolve({ ...proposalOf(payload), agentId: null }),
  approve: () => Promise.resolve(),
  drop: () => Promise.resolve(),
  resubmit: (_change, { approval, patch }) => {
    const wish = checked(boardRequestRevision, patch, "payload");
    refuseSecrets(boardRequestRevision, wish, "payload");
    const { title, body } = approval.payload as BoardRequest;
    return Promise.resolve(proposalOf({ title: wish.title ?? title, body: wish.body ?? body }));
  },
};

const proposalOf = (payload: BoardRequest): Proposal => ({
  payload: { ...payload },
  subject: `go ahead with “${payload.title}”`,
});
