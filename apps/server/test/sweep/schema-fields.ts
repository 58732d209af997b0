import { type Schema, typesOf, variantsOf } from "./input-schema.ts";

/** A field of a body or query, wherever it stands in it. */
export interface Field {
  /** Names from the root; `0` for the items of an array. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly required: boolean;
  /** Stands in one of several alternatives, so a refusal may speak of the whole instead. */
  readonly inUnion: boolean;
  /** It, or something around it, may hold secrets. */
  readonly holdsSecrets: boolean;
}

const deepest = 5;

/** Every field a schema declares, outer ones first. */
export function fieldsOf(root: Schema): Field[] {
  return below({ path: [], schema: root, required: true, inUnion: false, holdsSecrets: false });
}

/** An object whose fields are fixed, wherever it stands. */
export interface FixedObject {
  readonly path: readonly string[];
  readonly names: readonly string[];
  readonly inUnion: boolean;
}

/** Every object that takes only the fields it declares. */
export function fixedObjectsOf(root: Schema): FixedObject[] {
  const places = [{ path: [], schema: root, inUnion: false }, ...fieldsOf(root)];
  return places.flatMap(({ path, schema, inUnion }) => {
    const variants = variantsOf(schema);
    return variants.flatMap(({ properties, additionalProperties }) =>
      properties !== undefined && additionalProperties === false
        ? [{ path, names: Object.keys(properties), inUnion: inUnion || variants.length > 1 }]
        : [],
    );
  });
}

function below(parent: Field): Field[] {
  if (parent.path.length >= deepest || isAnything(parent.schema)) return [];
  const variants = variantsOf(parent.schema);
  const inUnion = parent.inUnion || variants.length > 1;
  const holdsSecrets = parent.holdsSecrets || isForSecrets(parent.schema);
  return variants.flatMap((variant) => membersOf(variant, { ...parent, inUnion, holdsSecrets }));
}

const isForSecrets = (schema: Schema): boolean =>
  schema.holdsSecrets === true || variantsOf(schema).some((variant) => variant.holdsSecrets === true);

/** True for a field that takes any JSON value: it has no fields of its own and no wrong type. */
export const isAnything = (schema: Schema): boolean => {
  const types = typesOf(schema);
  return types.has("object") && types.has("array") && types.has("string");
};

function membersOf(node: Schema, parent: Omit<Field, "schema" | "required">): Field[] {
  const { properties = {}, required = [], additionalProperties, items } = node;
  const members = Object.entries(properties);
  if (typeof additionalProperties === "object") members.push([freeName, additionalProperties]);
  if (items !== undefined) members.push(["0", items]);
  return members.flatMap(([name, schema]) => {
    const holdsSecrets = parent.holdsSecrets || isForSecrets(schema);
    const path = [...parent.path, name];
    const field = { path, schema, required: required.includes(name), inUnion: parent.inUnion, holdsSecrets };
    return [field, ...below(field)];
  });
}

/** A name that records whose names are not fixed accept, environments included. */
const freeName = "SAMPLE";

/** A copy of `value` with `inner` at a path; what is missing on the way is made. */
export function withValueAt(value: unknown, path: readonly string[], inner: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return inner;
  if (Array.isArray(value) || (value === undefined && name === "0")) {
    const items: unknown[] = Array.isArray(value) ? [...value] : [];
    items[Number(name)] = withValueAt(items[Number(name)], rest, inner);
    return items;
  }
  const members = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return { ...members, [name]: withValueAt(members[name], rest, inner) };
}

/** A copy of `value` without what stands at a path. */
export function withoutValueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined || typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>;
  if (rest.length > 0) return { ...members, [name]: withoutValueAt(members[name], rest) };
  const { [name]: _, ...others } = members;
  return others;
}
