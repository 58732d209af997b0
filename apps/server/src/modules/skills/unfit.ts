import { Refusal } from "../../platform/refusal.ts";

/** The refusal of something offered for import: where the request named it, and what is wrong with it. */
export const unfit = (path: string, message: string): Refusal =>
  new Refusal("invalid_request", `"${path}" ${message}.`, { details: [{ path, message }] });
