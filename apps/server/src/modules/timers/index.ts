export { fireTimers } from "./fire-timers.ts";
