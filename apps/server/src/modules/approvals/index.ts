export { approvalContext } from "./approval-context.ts";
export type { ApprovalEffects } from "./effects.ts";
export { approvalHandlers } from "./handlers.ts";
export { approvalLocatable } from "./locatable.ts";
export { presentApproval } from "./present.ts";
export { requestApproval } from "./request-approval.ts";
export type { ApprovalRow } from "./store.ts";
export { withdrawHire } from "./withdraw-hire.ts";
