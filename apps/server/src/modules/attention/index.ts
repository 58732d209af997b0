export { attentionHandlers } from "./handlers.ts";
export { attentionLocatable } from "./locatable.ts";
export { raiseAttention, resolveAttention } from "./raise-attention.ts";
export { attention } from "./table.ts";
