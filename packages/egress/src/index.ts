export { plainAddress } from "./address.ts";
export { AllowListError, parseAllowList } from "./allow-list.ts";
export { askOver, type Line, requirePlain } from "./connection.ts";
export { createEgress, type Egress } from "./egress.ts";
export { EgressFault, type EgressFaultKind, faultOf } from "./egress-fault.ts";
