import { isIP } from "node:net";
import { plainAddress, rangesOf } from "./address.ts";

/** The ports of the web, which an entry without a port means. */
export const webPorts: readonly number[] = [80, 443];

/** Where a connection would go: the name or address asked for, and one address that it leads to. */
export interface Destination {
  readonly host: string;
  readonly address: string;
  readonly port: number;
}

/** How far an entry opens: `named`, private addresses too; `addressed`, any address. */
export type Opening = "named" | "addressed";

/** One entry of the operator's list: how far it opens this destination, or null. */
export type AllowEntry = (destination: Destination) => Opening | null;

/** An entry that cannot be read; the message is what is wrong with it. */
export class AllowListError extends Error {}

const bracketed = /^\[([^[\]]+)\](?::(\d{1,5}))?$/;
const bare = /^([^[\]]+?)(?::(\d{1,5}))?$/;
const hostName = /^(?!.*\.\.)[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?$/;

/**
 * Reads the list of places that are open beside the public web, separated by commas: `host`, `host:port`, an address or
 * a range (`10.0.0.0/8`), with a port or without; those of the newer family stand in brackets before a port
 * (`[fd00::/8]:3000`). Without a port the ports 80 and 443 are meant. Throws {@link AllowListError}. Pure.
 */
export function parseAllowList(text: string): readonly AllowEntry[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map(entryOf);
}

function entryOf(entry: string): AllowEntry {
  const inner = bracketed.exec(entry);
  const [, host = "", port] = inner ?? (isRange(entry) ? ["", entry] : (bare.exec(entry.toLowerCase()) ?? []));
  const ports = portsOf(port);
  if (isRange(host)) {
    const isInside = rangesOf([rangeOf(host)]);
    return ({ address, port: asked }) => (ports.includes(asked) && isInside(address) ? "addressed" : null);
  }
  if (inner !== null || !hostName.test(host) || /^[\d.]+$/.test(host)) throw unreadable();
  return ({ host: asked, port: askedPort }) => (ports.includes(askedPort) && asked === host ? "named" : null);
}

const isRange = (text: string): boolean => isIP(text.replace(/\/\d{1,3}$/, "")) !== 0 && !text.includes("%");

function rangeOf(text: string): readonly [string, number] {
  const [given = "", bits] = text.split("/");
  const network = plainAddress(given) ?? given;
  const most = isIP(network) === 4 ? 32 : 128;
  // What is written in the newer family counts its bits there.
  const offset = isIP(given) === 6 && most === 32 ? 96 : 0;
  const length = bits === undefined ? most : Number(bits) - offset;
  if (length < 0 || length > most) throw new AllowListError(`a range here has at most ${most} bits`);
  return [network, length];
}

function portsOf(port: string | undefined): readonly number[] {
  if (port === undefined) return webPorts;
  const number = Number(port);
  if (number < 1 || number > 65_535) throw new AllowListError("a port is 1 to 65535");
  return [number];
}

const unreadable = (): AllowListError =>
  new AllowListError("an entry is host, host:port, an address or a range such as 10.0.0.0/8");
