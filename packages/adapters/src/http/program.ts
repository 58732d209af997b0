import { fileURLToPath } from "node:url";
import { type AdapterOrder, type Program, SettingsError } from "@roster/adapter";
import { env } from "@roster/contract";
import { Webhook } from "standardwebhooks";
import type { z } from "zod";
import type { CallInput } from "./call-input.ts";
import { type httpSettings, reference } from "./spec.ts";

/** The settings of the adapter as an order has them, defaults applied. */
export type HttpSettings = z.output<typeof httpSettings>;

type Order = AdapterOrder<HttpSettings>;

/** Bundled beside the program that starts it. */
const callProgram = fileURLToPath(new URL("./http-call.js", import.meta.url));
/** Files of the runner's machine, which a receiver cannot open. */
const ofThisMachine = [env("INSTRUCTIONS_FILE"), env("SKILLS_DIR")];
const asHeader = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A program of ours that makes the call and waits for its end. Pure. Throws {@link SettingsError}. */
export function program(order: Order): Program {
  const { settings, runId, companyId, agentId, service } = order;
  const named = { runId, companyId, agentId };
  const input: CallInput = {
    url: settings.url,
    headers: headersOf(order),
    signingSecret: signingSecretOf(order),
    runId,
    start: JSON.stringify({ type: "run.start", ...named, ...contentOf(order) }),
    cancel: JSON.stringify({ type: "run.cancel", ...named }),
    connectWithinSec: settings.startTimeoutSec,
    graceSec: settings.graceSec,
    service: { url: service[env("API_URL")] ?? "", key: service[env("API_KEY")] ?? "" },
  };
  return { command: process.execPath, args: [callProgram], stdin: JSON.stringify(input), env: {}, isOurs: true };
}

function contentOf({ settings, prompt, service, session, capMicros }: Order) {
  const { cwd, model } = settings;
  const environment = Object.fromEntries(Object.entries(service).filter(([name]) => !ofThisMachine.includes(name)));
  return { prompt, wakeReason: service[env("WAKE_REASON")] ?? "", environment, session, capMicros, cwd, model };
}

function headersOf(order: Order): Record<string, string> {
  const entries = Object.entries(order.settings.headers).map(([name, text]) => {
    const value = text.replace(reference, (_, entry: string) => entryOf(order, entry));
    if (!asHeader.test(value)) throw new SettingsError(`The header ${name} would hold what no header may hold.`);
    return [name.toLowerCase(), value] as const;
  });
  return Object.fromEntries(entries);
}

function signingSecretOf(order: Order): string | null {
  const name = order.settings.signingSecretEnv;
  if (name === undefined) return null;
  const secret = entryOf(order, name);
  try {
    new Webhook(secret).sign(order.runId, new Date(0), "");
  } catch {
    throw new SettingsError(`The entry ${name} of env is no signing secret: it must be whsec_ and base64.`);
  }
  return secret;
}

function entryOf({ environment }: Order, name: string): string {
  const value = environment[name];
  if (value === undefined) throw new SettingsError(`The settings refer to ${name}, which env does not have.`);
  return value;
}
