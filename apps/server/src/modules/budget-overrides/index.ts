export { judgeBudgets } from "./judge-budgets.ts";
export type { JudgeNeeds } from "./judge-holder.ts";
export { budgetOverrideEffects } from "./override-effects.ts";
