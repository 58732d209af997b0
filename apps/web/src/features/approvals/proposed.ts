import type { Agent } from "@roster/client";

/** What a hire proposes: an agent, before it is one. */
export type Proposed = Pick<
  Agent,
  | "name"
  | "role"
  | "title"
  | "icon"
  | "reportsTo"
  | "capabilities"
  | "adapterType"
  | "adapterConfig"
  | "instructionsBundle"
  | "runtimeConfig"
  | "permissions"
  | "budgetMonthlyCents"
> & { readonly skills: readonly { readonly key: string; readonly contentHash: string }[] };
