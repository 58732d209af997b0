export * from "./client.ts";
export { Refused } from "./refused.ts";
