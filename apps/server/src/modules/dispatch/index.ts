export { runnerHandlers } from "./handlers.ts";
