import { type CheckHost, type Finding, openDoor } from "@roster/adapter";
import { env } from "@roster/contract";
import { type HttpSettings, program } from "./program.ts";
import { httpSettings, httpSpec } from "./spec.ts";
import { translator } from "./translator.ts";

async function check({ url }: HttpSettings, host: CheckHost): Promise<readonly Finding[]> {
  const closed = await host.whyClosed(url);
  if (closed === null) return [];
  const remedy = closed.isRefused ? `; ${env("EGRESS_ALLOW")} of the runner opens places` : "";
  return [{ severity: "error", message: `The address of the receiver ${closed.why}${remedy}.` }];
}

/**
 * An agent behind an HTTP address. What refers to entries of env was checked when it was stored: an order's settings come
 * without env, so its door reads them without that rule.
 */
export const httpAdapter = openDoor({ ...httpSpec, settings: httpSettings }, { check, program, translator });
