import { basename, dirname } from "node:path/posix";
import { mostSkillBytes, skillEntryFile } from "@roster/contract";
import type { Egress } from "@roster/egress";
import type { Offer } from "./offer.ts";
import { sourceMissing, sourceUnavailable, sourceUnusable } from "./refused-source.ts";

/** What a SKILL.md at an address offers: a skill of one file. */
export async function fetchFile(egress: Egress, url: URL, signal: AbortSignal): Promise<Offer> {
  const headers = { accept: "text/markdown, text/plain;q=0.9, */*;q=0.1" };
  const { status, contentType, body } = await egress.get(url, { headers, mostBytes: mostSkillBytes, signal });
  requireFound(status);
  if (/^text\/html\b/i.test(contentType)) {
    throw sourceUnusable("is a page to look at, not the file itself; name the address of its raw text");
  }
  return {
    field: "source",
    type: "url",
    keyPrefix: "local",
    folder: basename(dirname(url.pathname)),
    locate: () => url.href,
    ref: null,
    files: new Map([[skillEntryFile, body]]),
    faults: new Map(),
    strays: [],
    warnings: [],
  };
}

/** Refuses an answer that brings nothing. What is there for others only is not there for an import. */
export function requireFound(status: number): void {
  if (status >= 200 && status < 300) return;
  if ([401, 403, 404, 410].includes(status)) {
    throw sourceMissing(`is not there, or is not public (its server answered ${status})`);
  }
  throw sourceUnavailable(`could not be had (its server answered ${status})`);
}
