import { z } from "zod";

const wrappers = [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodPrefault] as const;

/** A schema and every schema inside its wrappers (optional, nullable, default …), outermost first. */
function layersOf(schema: z.ZodType): z.ZodType[] {
  const layers = [schema];
  for (let at: z.ZodType | undefined = schema; at !== undefined; ) {
    at = innerOf(at);
    if (at !== undefined) layers.push(at);
  }
  return layers;
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.in as z.ZodType;
  const wrapper = wrappers.find((kind) => schema instanceof kind);
  return wrapper === undefined ? undefined : ((schema as z.ZodOptional).unwrap() as z.ZodType);
}

/** What a schema is inside its wrappers, and everything that it or a wrapper says in its metadata. */
interface Shape {
  readonly core: z.ZodType;
  readonly marks: Readonly<Record<string, unknown>>;
}

/** Schemas are declared once and never change, so what was found out about one stays true. */
const shapes = new WeakMap<z.ZodType, Shape>();

function shapeOf(schema: z.ZodType): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const layers = layersOf(schema);
  // The outermost counts where several say something.
  const marks = layers.toReversed().map((layer) => z.globalRegistry.get(layer));
  const shape = { core: layers.at(-1) ?? schema, marks: Object.assign({}, ...marks) as Shape["marks"] };
  shapes.set(schema, shape);
  return shape;
}

/**
 * The schema of a member of an object, record or array, looking through wrappers; undefined where none is declared. Of
 * alternatives it is that of the one that declares the member, or alternatives again.
 */
export function memberOf(schema: z.ZodType, key: string): z.ZodType | undefined {
  const { core } = shapeOf(schema);
  if (core instanceof z.ZodUnion) return memberOfUnion(core, key);
  if (core instanceof z.ZodObject) return core.shape[key] as z.ZodType | undefined;
  if (core instanceof z.ZodRecord) return core.valueType as z.ZodType;
  if (core instanceof z.ZodArray) return core.element as z.ZodType;
  return undefined;
}

const membersOfUnions = new WeakMap<z.ZodUnion, Map<string, z.ZodType | undefined>>();

function memberOfUnion(union: z.ZodUnion, key: string): z.ZodType | undefined {
  const known = membersOfUnions.get(union) ?? new Map<string, z.ZodType | undefined>();
  membersOfUnions.set(union, known);
  if (!known.has(key)) known.set(key, joined(optionsOf(union).map((option) => memberOf(option, key))));
  return known.get(key);
}

function joined(members: readonly (z.ZodType | undefined)[]): z.ZodType | undefined {
  const declared = [...new Set(members)].filter((member) => member !== undefined);
  return declared.length > 1 ? z.union(declared) : declared[0];
}

const optionsOf = (union: z.ZodUnion): readonly z.ZodType[] => union.options as readonly z.ZodType[];

/** The fields an object schema, or one of alternatives, declares, looking through wrappers; else none. */
export function fieldsOf(schema: z.ZodType): string[] {
  const { core } = shapeOf(schema);
  if (core instanceof z.ZodUnion) return [...new Set(optionsOf(core).flatMap(fieldsOf))];
  return core instanceof z.ZodObject ? Object.keys(core.shape) : [];
}

/** What the schema, or one inside its wrappers, says under this mark in its metadata; undefined where none does. */
export const markOf = (schema: z.ZodType, mark: string): unknown => shapeOf(schema).marks[mark];

/** True when the schema, or one inside its wrappers, carries this mark. */
export const isMarked = (schema: z.ZodType, mark: string): boolean => markOf(schema, mark) === true;
