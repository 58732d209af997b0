/** Variables of a prompt template with what each stands for. One that does not apply to a run is the empty text. */
export const promptVariables = {
  "agent.id": "id of the agent",
  "agent.name": "name of the agent",
  "agent.role": "role of the agent",
  "agent.title": "title of the agent",
  "agent.capabilities": "what the agent owns",
  "company.id": "id of the company",
  "company.name": "name of the company",
  "run.id": "id of this run",
  "run.wakeReason": "why the agent was woken",
  "issue.id": "id of the issue the run is about",
  "approval.id": "id of the approval the run is about",
  "approval.status": "status of that approval",
} as const;

/** Name of a variable of a prompt template. */
export type PromptVariable = keyof typeof promptVariables;
