import type { AdapterSpec } from "@roster/adapter";
import type { Adapter, FoundProgram } from "@roster/contract";
import { schemaTree } from "./schema-tree.ts";

/** Schemas of settings, which are the same for as long as the process lives. */
const schemas = new WeakMap<AdapterSpec, Adapter["settings"]>();

/** Every adapter as the API answers it, with the best that any of these runners has found of it. Pure. */
export function adaptersOf(
  specs: readonly AdapterSpec[],
  told: readonly (readonly FoundProgram[])[],
): readonly Adapter[] {
  return specs.map((spec) => ({
    type: spec.type,
    title: spec.title,
    description: spec.description,
    notes: [...spec.notes],
    settings: schemaOf(spec),
    install: spec.program?.install ?? null,
    found: foundOf(spec.type, told.flat()),
  }));
}

/** Where it lacks least: any agent may be run there. */
function foundOf(type: string, told: readonly FoundProgram[]): Adapter["found"] {
  const [best] = told
    .filter(({ adapterType }) => adapterType === type)
    .sort((one, other) => one.findings.length - other.findings.length);
  return best === undefined ? null : { version: best.version, findings: best.findings };
}

function schemaOf(spec: AdapterSpec): Adapter["settings"] {
  const known = schemas.get(spec);
  if (known !== undefined) return known;
  // A JSON Schema is JSON.
  const made = schemaTree(spec.settings) as Adapter["settings"];
  schemas.set(spec, made);
  return made;
}
