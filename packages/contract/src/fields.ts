import { z } from "zod";

/** Prefix of every identifier that carries the service's own name (headers, environment, tokens). */
export const servicePrefix = "SERVICE";
/** Name of an environment variable or setting of the service: `env("API_KEY")` is `SERVICE_API_KEY`. */
export const env = (name: string): string => `${servicePrefix}_${name}`;

/** The local board operator of local trusted mode. */
export const localBoardUserId = "00000000-0000-7000-8000-000000000001";
/** Stands where a company id would, for entries that belong to the deployment itself. */
export const instanceId = "00000000-0000-7000-8000-000000000000";

/** UUIDv7 of an entity; one that is sent in capitals is the same. */
export const id = z.uuid().toLowerCase();
/** UUIDv7 of an entity of this kind, in a body or filter: `idOf("agent")`. Tests find references by this mark. */
export const idOf = (kind: string) => id.meta({ refersTo: kind });
/** ISO 8601, UTC, milliseconds. */
export const time = z.iso.datetime({ precision: 3 });
/** What people call a thing: 1 to 200 characters, trimmed. */
export const name = z.string().trim().min(1).max(200);
/** Free text up to 64 KiB characters; null when absent. */
export const text = z.string().max(65_536).nullable();
/** Money per month in integer cents; 0 means no limit. */
export const monthlyCents = z.int().min(0).max(900_000_000_000);
/** A JSON object whose keys are not fixed. */
export const json = z.record(z.string(), z.json());
/** A JSON object. */
export type JsonObject = z.infer<typeof json>;

const encoder = new TextEncoder();
/** Bytes of a text in UTF-8. */
export const utf8Bytes = (value: string): number => encoder.encode(value).length;
