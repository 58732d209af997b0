import { activity } from "./activity.ts";
import { agentKeys } from "./agent-keys.ts";
import { agents } from "./agents.ts";
import { approvals, hires } from "./approvals.ts";
import { attentions } from "./attention.ts";
import { auth } from "./auth.ts";
import { companies } from "./companies.ts";
import { configurations } from "./configurations.ts";
import { costs } from "./costs.ts";
import { discovery } from "./discovery.ts";
import { fleet, instance } from "./fleet.ts";
import { service } from "./health.ts";
import { issues } from "./issues.ts";
import { invitations, members } from "./members.ts";
import type { Operation } from "./operation.ts";
import { runners } from "./runners.ts";
import { runs } from "./runs.ts";
import { secrets } from "./secrets.ts";
import { skills } from "./skills.ts";

/** The whole interface, by resource. Routes, OpenAPI, the client, the command line and the tests interpret it. */
export const contract = {
  service,
  auth,
  discovery,
  companies,
  members,
  invitations,
  agents,
  configurations,
  agentKeys,
  secrets,
  skills,
  issues,
  approvals,
  hires,
  runs,
  runners,
  fleet,
  instance,
  costs,
  attention: attentions,
  activity,
} as const;

/** The whole interface. */
export type Contract = typeof contract;

/** An operation with the name it goes by, such as `agents.create`. */
export interface NamedOperation {
  readonly name: string;
  readonly operation: Operation;
}

/** Every operation with its name, in the order of the contract. */
export function allOperations(): NamedOperation[] {
  return Object.entries(contract).flatMap(([resource, declared]) =>
    Object.entries(declared as Record<string, Operation>).map(([verb, operation]) => ({
      name: `${resource}.${verb}`,
      operation,
    })),
  );
}
