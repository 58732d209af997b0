export { AllowListError, parseAllowList } from "./allow-list.ts";
export { createEgress, type Egress } from "./egress.ts";
export { EgressFault, type EgressFaultKind, faultOf } from "./egress-fault.ts";
