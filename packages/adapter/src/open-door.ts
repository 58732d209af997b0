import type { z } from "zod";
import {
  type Adapter,
  type AdapterOrder,
  type CheckHost,
  type Finding,
  type Program,
  SettingsError,
  type Translator,
} from "./adapter.ts";
import type { AdapterSpec } from "./adapter-spec.ts";
import { unknownSettings } from "./unknown-settings.ts";

/** An adapter's own code, with its settings as its spec declares them, defaults applied. */
export interface Door<Settings> {
  check(settings: Settings, host: CheckHost): Promise<readonly Finding[]>;
  program(order: AdapterOrder<Settings>): Program;
  translator(order: AdapterOrder<Settings>): Translator;
}

/** A misspelled setting is kept, and has no effect: that should be known. */
function unknownFindings(spec: AdapterSpec, settings: Readonly<Record<string, unknown>>): Finding[] {
  return unknownSettings(spec, settings).map((name) => ({
    severity: "warning",
    message: `The setting ${name} is not known to this adapter and has no effect.`,
  }));
}

/** The adapter of a spec. Its door sees settings that the spec has taken; others are told as findings or thrown. */
export function openDoor<Schema extends z.ZodObject>(spec: AdapterSpec<Schema>, door: Door<z.output<Schema>>): Adapter {
  const read = (settings: Readonly<Record<string, unknown>>): z.output<Schema> => {
    const result = spec.settings.safeParse(settings);
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw new SettingsError(`The setting ${issue?.path.join(".")} is wrong: ${issue?.message}.`);
  };
  const check: Adapter["check"] = async (settings, host) => {
    try {
      const known = read(settings);
      return [...unknownFindings(spec, settings), ...(await door.check(known, host))];
    } catch (error) {
      if (error instanceof SettingsError) return [{ severity: "error", message: error.message }];
      throw error;
    }
  };
  return {
    type: spec.type,
    check,
    program: (order) => door.program({ ...order, settings: read(order.settings) }),
    translator: (order) => door.translator({ ...order, settings: read(order.settings) }),
  };
}
