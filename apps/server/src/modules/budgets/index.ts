export { budgetOf, centsOf } from "./budget.ts";
export { monthOf } from "./month.ts";
export { spendColumns, spendOf } from "./store.ts";
export { spend } from "./table.ts";
