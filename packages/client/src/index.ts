export type * from "@roster/contract";
export * from "./client.ts";
export type { Page } from "./pages.ts";
export { isRefused, Refused } from "./refused.ts";
export type { ByteRange, ClientOptions } from "./request.ts";
export { Unanswered } from "./unanswered.ts";
export { versionOf } from "./version.ts";
