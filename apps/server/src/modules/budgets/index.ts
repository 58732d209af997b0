export {
  type Account,
  budgetOf,
  centsOf,
  extended,
  type Funds,
  type Hold,
  holdOf,
  isNear,
  judge,
  type Lack,
  lacksOf,
  largerLimitCents,
  runsLookedAt,
} from "./budget.ts";
export { noteLimit } from "./note-limit.ts";
export { heldBy, lockSaid, lockSpend, noteSaid, presentMonth, type Spend, spendColumns, spendOf } from "./store.ts";
export { spend } from "./table.ts";
