import type { Agent, AgentCheck, Approval, Company, Issue, Run } from "@roster/client";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { wordsOf } from "./words.ts";

const tones = {
  calm: "bg-sunken text-ink-soft",
  accent: "bg-accent-soft text-accent-strong",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
} as const;
/** How loud a state is. */
export type Tone = keyof typeof tones;

type State =
  | Agent["status"]
  | Approval["status"]
  | Company["status"]
  | Issue["status"]
  | Run["status"]
  | AgentCheck["state"];

/** How loud each state of the contract is. Total by its type. */
const toneOf: Record<State, Tone> = {
  active: "good",
  approved: "good",
  archived: "calm",
  backlog: "calm",
  blocked: "bad",
  cancelled: "calm",
  claimed: "accent",
  done: "good",
  error: "bad",
  errors: "bad",
  failed: "bad",
  idle: "calm",
  in_progress: "accent",
  in_review: "warn",
  lost: "bad",
  ok: "good",
  paused: "warn",
  pending: "warn",
  pending_approval: "warn",
  queued: "calm",
  rejected: "bad",
  revision_requested: "warn",
  running: "accent",
  succeeded: "good",
  terminated: "calm",
  timed_out: "bad",
  todo: "calm",
  unchecked: "calm",
  warnings: "warn",
};

const isMoving = (state: State): boolean => state === "running" || state === "claimed";

/** A state in a word. What goes on right now breathes. */
export function StateBadge({ state }: { readonly state: State }): ReactNode {
  return (
    <Badge tone={toneOf[state]}>
      <span
        aria-hidden="true"
        className={classes("size-1.5 rounded-full bg-current", isMoving(state) && "breathing")}
      />
      {wordsOf(state)}
    </Badge>
  );
}

/** A word about something. */
export function Badge({ tone = "calm", children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span
      className={classes(
        "inline-flex h-5.5 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full px-2 text-xs font-medium",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
