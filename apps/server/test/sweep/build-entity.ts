import { allOperations, type NamedOperation } from "@roster/contract";
import { entityBuilders } from "./entity-builders.ts";
import { callOf } from "./input.ts";
import { type Schema, schemaOf, variantsOf } from "./input-schema.ts";
import { placeFor } from "./places.ts";
import { fieldsOf } from "./schema-fields.ts";
import { sampleSource, validInputs } from "./valid-inputs.ts";
import type { Place, World } from "./world.ts";

const file = "apps/server/test/sweep/entity-builders.ts";

/** Makes an entity and answers its id. `kind` is the word before `Id` in paths, or the kind of a reference. */
export async function buildEntity(world: World, kind: string, place: Place): Promise<string> {
  const word = wordOf(kind);
  const builder = entityBuilders[word];
  if (builder !== undefined) return builder(world, place);
  const maker = makerOf(word);
  if (maker === undefined) throw new Error(noBuilder(kind));
  return create(world, maker, place);
}

/** True when the sweep can make entities of this kind. */
export const isBuildable = (kind: string): boolean =>
  entityBuilders[wordOf(kind)] !== undefined || makerOf(wordOf(kind)) !== undefined;

/** What to do about a kind that cannot be made. */
export const noBuilder = (kind: string): string =>
  `no operation of the contract creates what paths call "${kind}", so the sweep cannot make one: add a builder to ${file}`;

/** The word that stands before `Id` in paths: a reference says `agent_key` where paths say `keyId`. */
function wordOf(kind: string): string {
  const camel = kind.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const isInPaths = allOperations().some(({ operation }) => operation.path.includes(`:${camel}Id`));
  return isInPaths ? camel : (kind.split("_").at(-1) ?? kind);
}

/** The operation whose answers stand where paths name this kind. */
function makerOf(word: string): NamedOperation | undefined {
  const operations = allOperations();
  return operations.find(({ operation: { answer, body } }) => {
    if (body !== undefined && needsOneOf(word, schemaOf(body, "input"))) return false;
    if (answer.kind !== "created" || !answer.at.endsWith("/:id")) return false;
    const at = `${answer.at.slice(0, -"/:id".length)}/:${word}Id`;
    return operations.some(({ operation }) => operation.path === at || operation.path.startsWith(`${at}/`));
  });
}

/** True for a body that must refer to an entity of the very kind: what takes it links one and makes none. */
const needsOneOf = (word: string, schema: Schema): boolean =>
  fieldsOf(schema).some(({ schema: field, required }) => {
    const kind = variantsOf(field)[0]?.refersTo;
    return required && kind !== undefined && wordOf(kind) === word;
  });

async function create(world: World, maker: NamedOperation, place: Place): Promise<string> {
  const there = await placeFor(world, maker.operation, place);
  const refused: string[] = [];
  const source = sampleSource(world, world.board, there);
  for (const { label, make } of validInputs(maker)) {
    const input = await make(source);
    const answer = await world.wire.send(callOf(maker, world.board, there, input));
    if (answer.status === 201) return String((JSON.parse(answer.text) as { id: unknown }).id);
    refused.push(`  ${label}: ${answer.status} ${answer.text}`);
  }
  throw new Error(`${maker.name} creates nothing for the sweep: add a builder to ${file}\n${refused.join("\n")}`);
}
