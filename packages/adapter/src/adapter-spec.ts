import type { z } from "zod";

/**
 * What the server knows of an adapter: pure data, no program is started by it. The discovery documents, the validation
 * of `adapterConfig` and the forms are made from it.
 */
export interface AdapterSpec<Settings extends z.ZodObject = z.ZodObject> {
  /** Value of an agent's `adapterType`; programs on the runner's machine are called `<vendor>_local`. */
  readonly type: string;
  readonly title: string;
  /** One sentence: what runs, and when to choose it. */
  readonly description: string;
  /** The program that has to be on the runner's machine, and how it comes there; absent where none has to. */
  readonly program?: { readonly command: string; readonly install: string };
  /**
   * Schema of `adapterConfig`, the common settings included; keys it does not know are kept. The server stores what was
   * sent; defaults are applied where the settings are used.
   */
  readonly settings: Settings;
  /** A complete, valid `adapterConfig`. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Paragraphs of the discovery document: what a field alone cannot say. */
  readonly notes: readonly string[];
}
