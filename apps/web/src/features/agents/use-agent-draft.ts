import { type Agent, versionOf } from "@roster/client";
import { useState } from "react";
import { type Draft, draftDifferences, draftOf } from "./agent-draft.ts";

interface State {
  readonly base: Agent;
  readonly draft: Draft;
}

/** A change of an agent that somebody is making, on whatever tab of its page. */
export interface AgentDraft extends State {
  /** In how many places it differs from what it began with. */
  readonly changes: number;
  change(parts: Partial<Draft>): void;
  /** Begins anew from the agent as it is, with nothing typed or with this. */
  restart(from: Agent, draft?: Draft): void;
}

const countOf = ({ base, draft }: State): number => draftDifferences(draftOf(base), draft).values.length;

/** What somebody is making of an agent. As long as nothing is typed it follows what others do. */
export function useAgentDraft(agent: Agent): AgentDraft {
  const [state, setState] = useState<State | null>(null);
  const fresh = { base: agent, draft: draftOf(agent) };
  // Just saved: what is asked anew has not come yet.
  const isAhead = state !== null && versionOf(state.base) > versionOf(agent);
  const count = state === null ? 0 : countOf(state);
  const { base, draft } = state !== null && (count > 0 || isAhead) ? state : fresh;
  return {
    base,
    draft,
    changes: count,
    change: (parts) => setState({ base, draft: { ...draft, ...parts } }),
    restart: (from, typed = draftOf(from)) => setState({ base: from, draft: typed }),
  };
}
