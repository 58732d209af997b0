import { adapterSpecs } from "@roster/adapters/specs";
import { type Schema, schemaOf, variantsOf } from "../sweep/input-schema.ts";
import { type SampleSource, sampleOf } from "../sweep/sample.ts";
import { isAnything, withValueAt } from "../sweep/schema-fields.ts";
import type { Strength } from "./canaries.ts";

type Path = readonly string[];

/** A value that must stand at a path, so that a schema accepts what is planted below it. */
interface Ground {
  readonly path: Path;
  readonly value: unknown;
}

/** A part of a body, and what must be there on the way to it. */
interface Spot {
  readonly schema: Schema;
  readonly path: Path;
  readonly grounds: readonly Ground[];
}

/** A place of a body where a text can stand: as a value, or as the name of a member. */
export interface Plant {
  readonly place: string;
  /** The adapter whose settings it is in. */
  readonly adapter?: string;
  /** The weakest secrets that are recognised here. */
  readonly strength: Strength;
  /** Secrets are taken here. */
  readonly takesSecrets: boolean;
  /** A copy of a body with the text in this place. */
  readonly put: (body: unknown, text: string) => unknown;
}

const deepest = 8;
/** A name of which every value is taken for a secret. */
const secretName = "SERVER_TOKEN";

/** Every place of a body of this schema, also inside free JSON and inside the settings of each adapter. */
export const plantsIn = (schema: Schema, source: SampleSource): Promise<Plant[]> =>
  plantsAt({ schema, path: [], grounds: [] }, source);

async function plantsAt(spot: Spot, source: SampleSource): Promise<Plant[]> {
  const { schema, path, grounds } = spot;
  if (path.length > deepest) return [];
  if (isAnything(schema)) return freePlants(spot, [...objectForms, ...otherForms]);
  if (path.at(-1) === "adapterConfig") return plantsInSettings(spot, source);
  const plants = [valuePlant(spot)];
  const variants = variantsOf(schema);
  for (const variant of variants) {
    // The whole body is there already, made anew for each canary; only what has several forms is given one of them.
    const isThere = path.length === 0 && variants.length === 1;
    const ground = isThere || !variant.properties ? [] : [{ path, value: await sampleOf(variant, source, path) }];
    plants.push(...(await plantsBelow({ schema: variant, path, grounds: [...grounds, ...ground] }, source)));
  }
  return plants;
}

async function plantsBelow(spot: Spot, source: SampleSource): Promise<Plant[]> {
  const { properties, additionalProperties: others, items, holdsSecrets } = spot.schema;
  const plants: Plant[] = [];
  if (items !== undefined) plants.push(...(await plantsAt(memberOf(spot, "0", items), source)));
  for (const [name, schema] of Object.entries(properties ?? {})) {
    plants.push(...(await plantsAt(memberOf(spot, name, schema), source)));
  }
  if (typeof others !== "object") return properties === undefined ? plants : [...plants, namePlant(spot, "anything")];
  return isAnything(others)
    ? [...plants, ...freePlants(spot, holdsSecrets === true ? [...objectForms, settingsForm] : objectForms)]
    : [...plants, ...(await plantsInRecord(spot, others, source))];
}

async function plantsInRecord(spot: Spot, values: Schema, source: SampleSource): Promise<Plant[]> {
  const plants = [namePlant(spot, await sampleOf(values, source, [...spot.path, "SAMPLE"]))];
  for (const name of spot.path.at(-1) === "env" ? [secretName, "SAMPLE"] : ["SAMPLE"]) {
    plants.push(...(await plantsAt(memberOf(spot, name, values), source)));
  }
  return plants;
}

async function plantsInSettings({ path, grounds }: Spot, source: SampleSource): Promise<Plant[]> {
  const plants = [valuePlant({ schema: {}, path, grounds })];
  for (const { type, settings, example } of adapterSpecs) {
    const chosen = [
      { path: [...path.slice(0, -1), "adapterType"], value: type },
      { path, value: example },
    ];
    const spot = { schema: schemaOf(settings, "input"), path, grounds: [...grounds, ...chosen] };
    const below = await plantsBelow(spot, source);
    plants.push(...below.map((plant) => ({ ...plant, adapter: type })));
  }
  return plants;
}

const memberOf = ({ path, grounds }: Spot, name: string, schema: Schema): Spot => ({
  schema,
  path: [...path, name],
  grounds,
});

function valuePlant(spot: Spot): Plant {
  const { schema, path, grounds } = spot;
  const variants = variantsOf(schema);
  const isMarked = [schema, ...variants].some(({ holdsSecrets }) => holdsSecrets === true);
  const takesSecrets = isEnvironmentValue(path) || (isMarked && variants.some(({ type }) => type === "string"));
  return {
    place: placeOf(path),
    strength: takesSecrets ? strengthAt(path) : "form",
    takesSecrets,
    put: (body, text) => withValueAt(grounded(body, grounds), path, text),
  };
}

/** The one place for secrets in settings: a text of an environment, spelled out or not. */
const isEnvironmentValue = (path: Path): boolean =>
  path.at(-2) === "env" || (path.at(-3) === "env" && path.at(-1) === "value");

const strengthAt = (path: Path): Strength =>
  isEnvironmentValue(path) && !path.includes(secretName) ? "random" : "named";

const namePlant = (spot: Spot, value: unknown): Plant => ({
  place: `a name in ${placeOf(spot.path)}`,
  strength: "form",
  takesSecrets: false,
  put: (body, text) => withValueAt(grounded(body, spot.grounds), [...spot.path, text], value),
});

/** A way for a text to stand in JSON that is not described. */
interface FreeForm {
  readonly strength: Strength;
  readonly takesSecrets: boolean;
  readonly write: (text: string) => unknown;
}

const form = (write: FreeForm["write"]): FreeForm => ({ strength: "form", takesSecrets: false, write });
const secretField = (write: FreeForm["write"]): FreeForm => ({ ...form(write), strength: "random" });

const objectForms: readonly FreeForm[] = [
  form((text) => ({ note: text })),
  form((text) => ({ [text]: "anything" })),
  form((text) => ({ outer: { list: ["first", { inner: text }] } })),
  form((text) => ({ headers: { "x-team": text } })),
  secretField((text) => ({ apiKey: text })),
  secretField((text) => ({ headers: { authorization: text } })),
  secretField((text) => ({ outer: { client_secret: text } })),
];
const otherForms: readonly FreeForm[] = [form((text) => text), form((text) => ["first", [text]])];
/** What JSON that may hold secrets is marked for: settings on their way to an agent. */
const settingsForm: FreeForm = {
  strength: "named",
  takesSecrets: true,
  write: (text) => ({ adapterConfig: { env: { [secretName]: text } } }),
};

const freePlants = ({ path, grounds }: Spot, forms: readonly FreeForm[]): Plant[] =>
  forms.map(({ strength, takesSecrets, write }) => ({
    place: `${placeOf(path)} as ${JSON.stringify(write("…"))}`,
    strength,
    takesSecrets,
    put: (body, text) => {
      const planted = write(text);
      if (typeof planted !== "object" || planted === null || Array.isArray(planted)) {
        return withValueAt(grounded(body, grounds), path, planted);
      }
      return Object.entries(planted).reduce<unknown>(
        (at, [name, value]) => withValueAt(at, [...path, name], value),
        grounded(body, grounds),
      );
    },
  }));

const grounded = (body: unknown, grounds: readonly Ground[]): unknown =>
  grounds.reduce((at, { path, value }) => withValueAt(at, path, value), body);

const placeOf = (path: Path): string => (path.length === 0 ? "the whole" : path.join("."));
