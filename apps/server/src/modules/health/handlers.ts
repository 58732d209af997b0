import { type Contract, type Health, openapi } from "@roster/contract";
import type { HandlersOf } from "../../platform/http/index.ts";
import { Refusal } from "../../platform/refusal.ts";

/** What the service knows of itself. */
export interface Facts {
  readonly version: string;
  readonly mode: Health["mode"];
  /** Resolves when the database answers; rejects when it does not. */
  readonly pingDatabase: () => Promise<void>;
  /** What the meter of this server says. */
  readonly metrics: () => Promise<string>;
}

/** Operations on the service itself. */
export function healthHandlers({ version, mode, pingDatabase, metrics }: Facts): HandlersOf<Contract["service"]> {
  const document = openapi(version) as Record<string, never>;
  return {
    health: async () => {
      const database = await pingDatabase().then(
        () => "ok" as const,
        () => "unavailable" as const,
      );
      return { status: database, version, mode, trust: mode === "authenticated" ? "login" : "machine", database };
    },
    welcome: async () => welcome(version),
    livez: async () => "ok\n",
    readyz: async () => {
      await pingDatabase().catch(() => {
        throw new Refusal("overloaded", "The database cannot be reached at the moment.", { retryAfterSec: 1 });
      });
      return "ok\n";
    },
    metrics: () => metrics(),
    openapi: async () => document,
  };
}

/** What a person sees who opens the address. */
const welcome = (version: string): string =>
  [
    `Roster ${version} runs here.`,
    "",
    "For people:  this address in a browser; README.md, five minutes to the first hire",
    "For agents:  /llms.txt",
    "For tools:   /api/openapi.json",
    "",
  ].join("\n");
