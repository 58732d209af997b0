import { join } from "node:path/posix";
import { type Adapter, type AdapterOrder, openDoor, type Placed, type Program } from "@roster/adapter";
import { checkCommandLine } from "./check.ts";
import type { Manifest, PlacedByManifest } from "./manifest.ts";
import { ManifestReader } from "./manifest-reader.ts";
import { prefacedPrompt } from "./preface.ts";
import { translatorOf } from "./translator.ts";
import { filled, type Values, valuesOf } from "./values.ts";

const folderName = "program";

/** The adapter of a program by its manifest. Its spec has the settings of every command line. */
export function manifestAdapter(manifest: Manifest): Adapter {
  const { spec, login, stream } = manifest;
  const { title } = spec;
  return openDoor(spec, {
    check: (settings, host) => {
      const { command, cwd } = settings as { command: string; cwd?: string };
      return checkCommandLine({ title, command, cwd, login }, host);
    },
    program: (order) => program(manifest, order),
    translator: (order) => translatorOf(title, order, new ManifestReader(stream, valuesOf(order))),
  });
}

function program({ arguments: parts, environment, folder }: Manifest, order: AdapterOrder): Program {
  const values = valuesOf(order);
  const { command, extraArgs } = order.settings as { command: string; extraArgs: readonly string[] };
  const given = parts.filter(({ when }) => when === undefined || values.has(when));
  const args = [...given.flatMap(({ texts }) => texts.map((text) => filled(text, values))), ...extraArgs];
  if (folder === null || Object.hasOwn(order.environment, folder.variable)) {
    return { command, args, stdin: prefacedPrompt(order), env: environment };
  }
  const places = folder.places.filter(({ when }) => values.has(when)).map((place) => placed(place, values));
  const env = { ...environment, [folder.variable]: join(order.ownFolder, folderName) };
  return { command, args, stdin: order.prompt, env, places };
}

function placed({ path: name, to, json = {} }: PlacedByManifest, values: Values): Placed {
  const path = `${folderName}/${name}`;
  if (to !== undefined) return { path, to: filled(to, values) };
  const texts = Object.entries(json).map(([key, list]) => [key, list.map((text) => filled(text, values))]);
  return { path, text: JSON.stringify(Object.fromEntries(texts)) };
}
