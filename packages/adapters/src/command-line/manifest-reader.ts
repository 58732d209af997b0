import { amountAt, entriesAt, fieldAt, textAt } from "./fields.ts";
import type { LineRule, Manifest, Source } from "./manifest.ts";
import type { Draft, LineReader } from "./translator.ts";
import { type Trouble, troubleIn, troubleOfStatus } from "./trouble.ts";
import type { Values } from "./values.ts";

type Line = Readonly<Record<string, unknown>>;

/** What a program prints, by the rules of its manifest. */
export class ManifestReader implements LineReader {
  trouble: Trouble | null = null;
  readonly #stream: Manifest["stream"];
  readonly #values: Values;
  #sessionId: unknown = null;
  /** Of a message that comes in pieces. */
  #pieces = "";

  constructor(stream: Manifest["stream"], values: Values) {
    this.#stream = stream;
    this.#values = values;
  }

  get hasBegun(): boolean {
    return this.#sessionId !== null;
  }

  read(line: Line): readonly Draft[] | null {
    if (!this.#stream.types.includes(textAt(line, "type") ?? "")) return null;
    this.#notice(line);
    const rules = this.#stream.rules.filter(({ when }) => holds(line, when));
    const joining = rules.find(({ joins }) => joins === true);
    if (joining !== undefined) {
      this.#pieces += textOf(this.#draft(joining, line));
      return [];
    }
    const drafts = rules.flatMap((rule) => this.#made(rule, line)).filter((draft) => this.#isNews(draft));
    return [...this.#joined(), ...drafts];
  }

  end(): readonly Draft[] {
    return this.#joined();
  }

  #notice(line: Line): void {
    const rule = this.#stream.troubles.find(({ when }) => holds(line, when));
    if (rule === undefined) return;
    const words = textAt(line, rule.words) ?? "";
    const status = rule.status === undefined ? 0 : amountAt(line, rule.status);
    this.trouble = troubleOfStatus(status, words) ?? troubleIn(words);
  }

  #joined(): readonly Draft[] {
    const text = this.#pieces;
    this.#pieces = "";
    return text === "" ? [] : [["message", { text }]];
  }

  /** A program may name its conversation in each line. */
  #isNews([kind, data]: Draft): boolean {
    if (kind !== "session") return true;
    const isNews = this.#sessionId !== fieldAt(data, "id");
    this.#sessionId = fieldAt(data, "id");
    return isNews;
  }

  #made(rule: LineRule, line: Line): Draft[] {
    if (rule.each === undefined) return [this.#draft(rule, line)];
    return entriesAt(line, rule.each).map(([name, entry]) => this.#draft(rule, entry, name));
  }

  #draft({ make, fields }: LineRule, from: unknown, entryName?: string): Draft {
    const found = Object.entries(fields).map(
      ([field, source]) => [field, this.#find(source, from, entryName)] as const,
    );
    return [make, Object.fromEntries(found.filter(([, value]) => value !== undefined))];
  }

  #find(source: Source, from: unknown, entryName: string | undefined): unknown {
    if (typeof source === "string") return fieldAt(from, source);
    if ("firstOf" in source) return source.firstOf.map((path) => fieldAt(from, path)).find((found) => found != null);
    if ("positive" in source) return positiveAt(from, source.positive);
    if ("sum" in source) return source.sum.reduce((sum, path) => sum + amountAt(from, path), 0);
    if ("of" in source) return Math.max(amountAt(from, source.of) - amountAt(from, source.minus), 0);
    if ("value" in source) return this.#values.get(source.value);
    if ("at" in source) return fieldAt(from, source.at) === source.is;
    return "always" in source ? source.always : entryName;
  }
}

function holds(line: Line, when: LineRule["when"]): boolean {
  return Object.entries(when).every(([path, text]) => fieldAt(line, path) === text);
}

function positiveAt(from: unknown, path: string): number | undefined {
  const found = fieldAt(from, path);
  return typeof found === "number" && found > 0 ? found : undefined;
}

function textOf([, data]: Draft): string {
  return textAt(data, "text") ?? "";
}
