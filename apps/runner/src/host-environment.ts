import { env } from "@roster/contract";

const passedOn = new Set(["PATH", "HOME", "LANG", "TERM", "TMPDIR", "TZ", "USER", "LOGNAME", "SHELL"]);

/**
 * What a child sees of the host's environment: a list of what may pass, so that a secret of the service's own, or one
 * that nobody has thought of yet, does not. Pure.
 */
export function hostEnvironment(processEnv: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(processEnv).filter(([name]) => passedOn.has(name) || name.startsWith("LC_"));
  return Object.fromEntries(kept.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const openPlaces = env("EGRESS_ALLOW");

/** Where Node.js is told of certificate authorities beside those that it knows. */
const authorities = "NODE_EXTRA_CA_CERTS";

/** What a program of our own sees: the same, which places are open to what it calls, and whom it trusts there. Pure. */
export function ownEnvironment(processEnv: NodeJS.ProcessEnv): Record<string, string> {
  const trusted = processEnv[authorities];
  return {
    ...hostEnvironment(processEnv),
    [openPlaces]: processEnv[openPlaces] ?? "",
    ...(trusted !== undefined && { [authorities]: trusted }),
  };
}
