import type { BoardRequest, BudgetOverride, ConfigChange, JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import type { AgentRow } from "../agents/index.ts";
import type { ApprovalRow } from "./store.ts";

/** A proposal after its resubmission. */
export interface Proposal {
  readonly payload: JsonObject;
  /** What is asked for, in the words of the log: "hire Ada (engineer)". */
  readonly subject: string;
}

/** What decisions do for one type of approval, inside the deciding change. The agent it is about is locked already. */
export interface ApprovalEffects {
  approve(change: Change, approval: ApprovalRow, agent: AgentRow | null): Promise<void>;
  /** The proposal is off: rejected, or withdrawn. */
  drop(change: Change, approval: ApprovalRow, agent: AgentRow | null): Promise<void>;
  /** Takes the changes of a resubmission and answers the new proposal. */
  resubmit(
    change: Change,
    revision: { approval: ApprovalRow; agent: AgentRow | null; patch: JsonObject },
  ): Promise<Proposal>;
}

/** What is to be asked of the board. */
export interface Asked extends Proposal {
  /** The agent it is about. */
  readonly agentId: string | null;
}

/** The same for a type that is asked for as such: hires come with their agent, by an operation of their own. */
export interface QuestionEffects<Payload> extends ApprovalEffects {
  /** Checks what somebody wants to ask, and makes a proposal of it. */
  ask(change: Change, payload: Payload): Promise<Asked>;
}

/** Effects by type. */
export interface EffectsByType {
  readonly hire_agent: ApprovalEffects;
  readonly config_change: QuestionEffects<ConfigChange>;
  readonly budget_override: QuestionEffects<BudgetOverride>;
  readonly board_request: QuestionEffects<BoardRequest>;
}

/** The effects of an approval's type. */
export const effectsOf = (effects: EffectsByType, { type }: ApprovalRow): ApprovalEffects => effects[type];
