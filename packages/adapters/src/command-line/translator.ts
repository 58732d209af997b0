import { type AdapterEvent, type AdapterOrder, type AdapterOutcome, eventOf, type Translator } from "@roster/adapter";
import { endingOutcome } from "../ending-outcome.ts";
import { jsonLine } from "../json-line.ts";
import { type Trouble, troubleIn } from "./trouble.ts";

/** An event that is still to be looked at: whatever a program prints, what is made of it has the shape of its kind. */
export type Draft = readonly [kind: Exclude<AdapterEvent["kind"], "output">, data: unknown];

/** Understands what one kind of program prints, one run at a time. */
export interface LineReader {
  /** What a line of JSON says; null where it is none of the program's. Never throws. */
  read(line: Readonly<Record<string, unknown>>): readonly Draft[] | null;
  /** What is to be told when all was read. */
  end?(): readonly Draft[];
  /** It has said which conversation it is in: going on with an earlier one has worked. */
  readonly hasBegun: boolean;
  /** What it has said went wrong; null where it has said nothing of that kind. */
  readonly trouble: Trouble | null;
}

const mostWords = 1500;
const remembered = 4000;

/** The translator of a program that prints lines of JSON on standard output and words for people beside them. */
export function translatorOf(title: string, order: Pick<AdapterOrder, "session">, reader: LineReader): Translator {
  let words = "";
  const line: Translator["line"] = (stream, text) => {
    if (stream === "stderr") {
      words = `${words}\n${text}`.slice(-remembered);
      return null;
    }
    const said = jsonLine(text);
    const drafts = said === null ? null : reader.read(said);
    return drafts === null ? null : eventsOf(drafts);
  };
  const outcome: Translator["outcome"] = (ending) => {
    const ok = ending.exitCode === 0 && reader.trouble === null;
    if (ok) return { code: "ok", message: `${title} has ended its work.` };
    const plain = endingOutcome(ending);
    const hasWords = ending.exitCode !== null && words.trim() !== "";
    const trouble = reader.trouble ?? (hasWords ? troubleIn(lastWords(words)) : null);
    const outcome = trouble === null ? plain : outcomeOf(title, trouble);
    const isLostSession = order.session !== null && !reader.hasBegun && ending.exitCode !== 0;
    return isLostSession ? { ...outcome, startsFresh: true } : outcome;
  };
  const end = (): readonly AdapterEvent[] => eventsOf(reader.end?.() ?? []) ?? [];
  return { line, outcome, end };
}

/** Null when one of them is not what its kind has: the line is output then. */
function eventsOf(drafts: readonly Draft[]): readonly AdapterEvent[] | null {
  const events = drafts.map(([kind, data]) => eventOf(kind, data));
  const good = events.filter((event) => event !== null);
  return good.length === events.length ? good : null;
}

const openings: Readonly<Record<Trouble["code"], string>> = {
  auth_failed: "could not sign in",
  rate_limited: "was refused for now by its provider",
  budget_exhausted: "stopped at the limit of its cost",
  agent_error: "failed",
};

function outcomeOf(title: string, { code, words, ...again }: Trouble): AdapterOutcome {
  const told = words.trim().replace(/\s+/g, " ").slice(0, mostWords).replace(/\.+$/, "");
  return { code, message: `${title} ${openings[code]}: ${told === "" ? "it did not say why" : told}.`, ...again };
}

/** The end of what it said on standard error, without the addresses of its own code. */
function lastWords(words: string): string {
  const lines = words
    .split("\n")
    .filter((text) => text.trim() !== "" && !/^\s+(?:at |\d+: )|^Stack backtrace/.test(text));
  return lines.slice(-5).join("\n");
}
