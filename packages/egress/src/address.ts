import { BlockList, isIP } from "node:net";

/**
 * What kind of place an address is: `public`; `private`, a machine or network of somebody's own; `special`, everything
 * that no server of a name is at, such as link-local addresses and those where clouds give out credentials.
 */
export type Reach = "public" | "private" | "special";

type Range = readonly [network: string, bits: number];

const privateRanges: readonly Range[] = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["::1", 128],
  ["fc00::", 7],
];

/** Where clouds tell machines their secrets; some lie in ranges that would be private or even public. */
const metadata: readonly Range[] = [
  ["169.254.169.254", 32],
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["fd00:ec2::254", 128],
  ["fd20:ce::254", 128],
];

const specialRanges: readonly Range[] = [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Protocol assignments, Teredo among them; documentation; 6to4, which holds any address of the older family.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** The addresses of the newer family that are given out at all; NAT64 and everything reserved is outside. */
const assigned: Range = ["2000::", 3];

const isPrivate = rangesOf(privateRanges);
const isSpecial = rangesOf([...metadata, ...specialRanges]);
const isAssigned = rangesOf([assigned]);

/** The reach of an address; of what is no address, `special`. Pure. */
export function reachOf(text: string): Reach {
  const address = plainAddress(text);
  if (address === null || isSpecial(address)) return "special";
  if (isPrivate(address)) return "private";
  return isIP(address) === 4 || isAssigned(address) ? "public" : "special";
}

/**
 * One form for each address, so that it cannot be written past a check: compressed, and of the older family where it is
 * one of that family in the dress of the newer (`::ffff:127.0.0.1`). Null for no address and for one with a zone. Pure.
 */
export function plainAddress(text: string): string | null {
  if (isIP(text) === 4) return text;
  if (isIP(text) !== 6 || text.includes("%")) return null;
  const compressed = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(compressed) ?? [];
  if (high === undefined || low === undefined) return compressed;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join(".");
}

/** Whether an address in its plain form is in one of these ranges. Pure. */
export function rangesOf(ranges: readonly Range[]): (address: string) => boolean {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, familyOf(network));
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}
