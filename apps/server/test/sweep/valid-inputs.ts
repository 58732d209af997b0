import type { NamedOperation } from "@roster/contract";
import { entrances } from "./entrances.ts";
import type { Input } from "./input.ts";
import { type Schema, schemaOf, variantsOf } from "./input-schema.ts";
import { type SampleSource, sampleOf } from "./sample.ts";
import { withValueAt } from "./schema-fields.ts";
import type { Actor, Place, World } from "./world.ts";

/** An input that an operation should accept: what is particular about it, and how to make one. */
export interface ValidInput {
  readonly label: string;
  /** Makes a new one each time, because names may have to be free; only then are the entities made that it refers to. */
  readonly make: (source: SampleSource) => Promise<Input>;
}

const mostChoices = 8;

/** Where the samples of a call take ids and numbers from. */
export function sampleSource(world: World, actor: Actor, place: Place): SampleSource {
  return {
    next: world.next,
    given: async (operation) => (await entrances[operation]?.(world)) ?? {},
    refer: async (kind) => {
      if (kind === "company") return place.companyId;
      if (kind === "agent" && actor.agent?.companyId === place.companyId) return actor.agent.id;
      return world.build(kind, { companyId: place.companyId, params: {} });
    },
  };
}

/**
 * Inputs that an operation should accept, the plainest first: only what is required; then each further field by itself;
 * then each choice of a required enumeration. A body of several forms comes in each of them.
 */
export function validInputs(named: NamedOperation): ValidInput[] {
  const { body } = named.operation;
  if (body === undefined) return [{ label: "a valid call", make: (source) => queryOf(named, source) }];
  const forms = variantsOf(schemaOf(body, "input"));
  return forms.flatMap((form, index) => {
    const prefix = forms.length > 1 ? `a valid body of form ${index + 1}` : "a valid body";
    return bodiesOf(form).map(({ label, make }) => ({
      label: `${prefix}${label}`,
      make: async (source: SampleSource) => ({
        ...(await queryOf(named, source)),
        body: await withGiven(named, source, await make(source)),
      }),
    }));
  });
}

async function withGiven({ name }: NamedOperation, source: SampleSource, body: unknown): Promise<unknown> {
  const given = await source.given(name);
  return Object.keys(given).length === 0 ? body : { ...(body as object), ...given };
}

/** The query that an operation requires, if it requires one. */
async function queryOf({ operation }: NamedOperation, source: SampleSource): Promise<Input> {
  if (operation.query === undefined) return {};
  const sample = (await sampleOf(schemaOf(operation.query, "input"), source)) as Record<string, unknown>;
  return { query: Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, String(value)])) };
}

interface ValidBody {
  readonly label: string;
  readonly make: (source: SampleSource) => Promise<unknown>;
}

function bodiesOf(form: Schema): ValidBody[] {
  const plain: ValidBody = { label: "", make: (source) => sampleOf(form, source) };
  const others = Object.entries(form.properties ?? {}).flatMap(([name, schema]) => {
    const withField = (label: string, valueFrom: ValidBody["make"]): ValidBody => ({
      label,
      make: async (source) => withValueAt(await sampleOf(form, source), [name], await valueFrom(source)),
    });
    if (!form.required?.includes(name))
      return [withField(` with ${name}`, (source) => sampleOf(schema, source, [name]))];
    return otherChoices(schema).map((choice) => withField(` with ${name} ${String(choice)}`, async () => choice));
  });
  return [plain, ...others];
}

const otherChoices = (schema: Schema): readonly unknown[] =>
  variantsOf(schema)
    .flatMap((variant) => variant.enum ?? [])
    .slice(1, mostChoices);
