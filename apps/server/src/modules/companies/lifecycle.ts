import { companyStatuses } from "@roster/contract";
import { lifecycle } from "../../platform/lifecycle.ts";

/** States of a company and the moves between them. */
export const companyLifecycle = lifecycle({
  entity: "company",
  states: companyStatuses,
  moves: {
    pause: { from: ["active"], to: "paused" },
    resume: { from: ["paused", "archived"], to: "active" },
    archive: { from: ["active", "paused"], to: "archived" },
  },
});
