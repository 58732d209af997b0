import { takesKey, takesVersion } from "@roster/contract";
import { type Expected, refused } from "./answer-check.ts";
import type { BadInput, Ground } from "./bad-input.ts";

/** Headers that are wrong, where the operation looks at them. */
export function badHeaders({ named: { operation }, world }: Ground): BadInput[] {
  if (operation.method === "GET") return [];
  return [
    ...(takesVersion(operation) ? ifMatches : []),
    ...(takesKey(operation) ? idempotencyKeys : []),
    ...origins(world.server.url),
  ];
}

const invalid = (at: string): Expected => ({ kind: "refused", codes: ["invalid_request"], at });

const ifMatches: readonly BadInput[] = [
  ...["3", '"three"', '""', '"3', '"1", "2"', '"99999999999999999999"'].map((value) => ({
    label: `If-Match ${value}`,
    input: { headers: { "if-match": value } },
    expected: invalid("if-match"),
  })),
  {
    label: "a stale If-Match",
    input: { headers: { "if-match": '"9999"' } },
    expected: refused("stale_revision"),
    found: "state",
  },
];

const idempotencyKeys: readonly BadInput[] = ["a b", "ä", "a".repeat(256)].map((value) => ({
  label: `the Idempotency-Key ${value.slice(0, 10)}`,
  input: { headers: { "idempotency-key": value } },
  expected: invalid("idempotency-key"),
}));

/** Local trusted mode answers only this machine, and no page of another origin may change anything. */
const origins = (url: string): BadInput[] =>
  [
    { label: "the Origin of another site", headers: { origin: "http://example.com" } },
    { label: "the Origin null", headers: { origin: "null" } },
    { label: "the Origin with another port", headers: { origin: url.replace(/:\d+$/, ":1") } },
    { label: "a cross-site fetch", headers: { "sec-fetch-site": "cross-site" } },
    { label: "another Host", headers: { host: "example.com" } },
    { label: "the Host without its port", headers: { host: "localhost" } },
  ].map(({ label, headers }) => ({
    label,
    input: { headers },
    expected: refused("forbidden"),
    found: "wire" as const,
  }));
