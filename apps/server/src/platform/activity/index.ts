export {
  appendEntries,
  appendOwnEntry,
  type Entry,
  LogClosed,
  setLogClosed,
} from "./append.ts";
export { activity, activityHeads } from "./table.ts";
