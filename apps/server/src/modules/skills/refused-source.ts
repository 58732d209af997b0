import { env } from "@roster/contract";
import { EgressFault, type EgressFaultKind } from "@roster/egress";
import { Refusal } from "../../platform/refusal.ts";

/** The refusal of a source, from the end of a sentence that begins with it. */
type RefusedSource = (message: string) => Refusal;

const about = (message: string) => ({ details: [{ path: "source", message }] });

/** It may not be asked. */
const sourceRefused: RefusedSource = (message) =>
  new Refusal("source_refused", `"source" ${message}. Only https to public addresses is open.`, {
    ...about(message),
    fix: { setting: env("EGRESS_ALLOW"), value: "<host:port, if the operator wants this place to be open>" },
  });

/** It could not be had; another time it may be. */
export const sourceUnavailable: RefusedSource = (message) =>
  new Refusal("source_unavailable", `"source" ${message}.`, about(message));

/** It was had, and is not what can be taken. */
export const sourceUnusable: RefusedSource = (message) =>
  new Refusal("source_unusable", `"source" ${message}.`, about(message));

/** The same, where the places in it are known that are wrong. */
export const unusable = ({ message, details }: Refusal): Refusal =>
  new Refusal("source_unusable", message, { details });

/** It was asked for, and is not there. */
export const sourceMissing: RefusedSource = (message) =>
  new Refusal("unknown_reference", `"source" ${message}.`, about(message));

const byKind: Readonly<Record<EgressFaultKind, RefusedSource>> = {
  refused: sourceRefused,
  large: sourceUnusable,
  away: sourceUnavailable,
};

/** What an error on the way to a source is to who asked for the import; what is no fault of the way stays as it is. */
export const refusalOfSource = (error: unknown): unknown =>
  error instanceof EgressFault ? byKind[error.kind](error.message) : error;
