import type { JsonObject } from "@roster/contract";
import { z } from "zod";
import { differences } from "../json-difference.ts";
import { Refusal } from "../refusal.ts";
import { isMarked, memberOf } from "../schema-shape.ts";
import { findSecretShape, redact } from "../secrets/index.ts";

const anything = z.unknown();

const secrets = anything.meta({ holdsSecrets: true });

/**
 * Refuses a body that holds a text with the shape of a secret, so that none is ever stored in clear. Texts in fields
 * whose schema is marked `holdsSecrets` are left to their module; names of members are shown to everyone, there too.
 */
export function refuseSecrets(schema: z.ZodType, value: unknown, path = ""): void {
  const mayHold = isMarked(schema, "holdsSecrets");
  if (typeof value === "string" && !mayHold) refuseText(value, path);
  if (typeof value !== "object" || value === null) return;
  if (!mayHold && memberOf(schema, "") instanceof z.ZodLazy) refuseNamed(value as JsonObject, path);
  for (const [key, member] of Object.entries(value)) {
    refuseText(key, path);
    const inside = mayHold ? secrets : (memberOf(schema, key) ?? anything);
    refuseSecrets(inside, member, path === "" ? key : `${path}.${key}`);
  }
}

/** In JSON whose fields nobody declared, a name is all there is to tell what a field is for. */
function refuseNamed(value: JsonObject, path: string): void {
  const [hidden] = differences(value, redact(value) as JsonObject);
  if (hidden !== undefined) throw secretInText(`${path}.${hidden.path}`, "by its name or form");
}

function refuseText(text: string, path: string): void {
  const found = findSecretShape(text);
  if (found !== null) throw secretInText(path, found.shape);
}

/** The refusal of a secret that stands where it would be stored in clear. */
export function secretInText(path: string, shape: string): Refusal {
  return new Refusal(
    "secret_in_text",
    `"${path}" holds a secret (${shape}). Give it to the agent in adapterConfig.env.`,
    {
      details: [{ path, message: `holds what looks like a secret (${shape})` }],
      fix: { adapterConfig: { env: { MY_SECRET: "<the secret>" } } },
    },
  );
}
