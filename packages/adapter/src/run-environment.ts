import { env } from "@roster/contract";

/** One variable that a run gets from the service. */
export interface RunVariable {
  readonly name: string;
  readonly description: string;
  /** False for what only some runs have; it is absent there, not empty. */
  readonly always: boolean;
}

const always = (name: string, description: string): RunVariable => ({ name: env(name), description, always: true });
const sometimes = (name: string, description: string): RunVariable => ({ name: env(name), description, always: false });

/** What every adapter hands to its program: as environment where there is a process, in the body where there is not. */
export const runEnvironment: readonly RunVariable[] = [
  always("API_URL", "base address of the service; paths start with /api"),
  always("API_KEY", "credential of this run, sent as Authorization: Bearer; it dies with the run"),
  always("AGENT_ID", "id of the agent"),
  always("COMPANY_ID", "id of its company"),
  always("RUN_ID", "id of this run"),
  always("WAKE_REASON", "why the agent was woken"),
  sometimes("ISSUE_ID", "the issue the run is about"),
  sometimes("WAKE_COMMENT_ID", "the comment that woke the agent"),
  sometimes("APPROVAL_ID", "the approval whose resolution woke the agent"),
  sometimes("APPROVAL_STATUS", "status of that approval"),
  sometimes("LINKED_ISSUE_IDS", "issues linked to that approval, separated by commas"),
  sometimes("INSTRUCTIONS_FILE", "path of the instructions' entry file"),
  sometimes("SKILLS_DIR", "folder with the agent's skills"),
];
