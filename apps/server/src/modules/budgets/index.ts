export { announceRaise } from "./announce-raise.ts";
export { budgetOf, centsOf } from "./budget.ts";
export { monthOf } from "./month.ts";
export { addSpend, spendColumns, spendOf } from "./store.ts";
export { spend } from "./table.ts";
