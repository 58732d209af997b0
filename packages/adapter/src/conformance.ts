import assert from "node:assert/strict";
import { causeCodes, env, isInnerPath } from "@roster/contract";
import type { Adapter, AdapterOrder, CheckHost, ProgramEnding, Translator } from "./adapter.ts";
import type { AdapterSpec } from "./adapter-spec.ts";
import { type AdapterEvent, eventData } from "./event-data.ts";

/** A line of output, as a translator gets it. */
export interface SampleLine {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** What a guarantee is tried with. */
export interface Tried {
  readonly adapter: Adapter;
  readonly spec: AdapterSpec;
  /** Lines of a real run of the program, in their order. */
  readonly sample: readonly SampleLine[];
  /** Settings to try beside the spec's example. */
  readonly settings?: readonly Readonly<Record<string, unknown>>[];
}

/** A guarantee of every adapter; `verify` throws when it does not hold. */
export interface Guarantee {
  readonly name: string;
  verify(): void | Promise<void>;
}

const canary = "canary-of-a-credential-0123456789";
const prompt = "canary-of-a-prompt: do the work\nand say so";

/** Every guarantee of every adapter, to be tried with this one: each is a test of its own. */
export function guarantees(tried: Tried): readonly Guarantee[] {
  return [...programGuarantees(tried), ...checkGuarantees(tried), ...lineGuarantees(tried), ...endGuarantees(tried)];
}

function programGuarantees({ adapter, spec, settings = [] }: Tried): readonly Guarantee[] {
  const orders = [spec.example, ...settings].flatMap((each) => [orderWith(each), barest(orderWith(each))]);
  return [
    { name: "it goes by the type of its spec", verify: () => assert.equal(adapter.type, spec.type) },
    {
      name: "the spec's example gives a program that can be started",
      verify: () => {
        for (const order of orders) {
          const { command, args, env: extra } = adapter.program(order);
          assert.notEqual(command, "");
          for (const text of [command, ...args, ...Object.values(extra)]) assert.ok(!text.includes("\0"));
        }
      },
    },
    {
      name: "what it places stays below the run's own folder and holds no secret",
      verify: () => {
        for (const order of orders) {
          const { places = [] } = adapter.program(order);
          for (const placed of places) {
            assert.ok(isInnerPath(placed.path), placed.path);
            assert.ok(!JSON.stringify(placed).includes(canary));
          }
        }
      },
    },
    {
      name: "a program is a function of its order",
      verify: () => {
        for (const order of orders) assert.deepEqual(adapter.program(order), adapter.program(structuredClone(order)));
      },
    },
    {
      name: "neither a secret nor the prompt is in the arguments, which everybody on the machine can read",
      verify: () => {
        for (const order of orders) {
          const { command, args } = adapter.program(order);
          const shown = [command, ...args].join("\n");
          assert.ok(!shown.includes(canary), "the credential");
          assert.ok(!shown.includes("canary-of-a-prompt"), "the prompt");
        }
      },
    },
  ];
}

function checkGuarantees({ adapter, spec }: Tried): readonly Guarantee[] {
  return [
    {
      name: "a check tells what is missing and what is wrong, and never throws",
      verify: async () => {
        const nothing: CheckHost = {
          findCommand: async () => null,
          isFolder: async () => false,
          isFile: async () => false,
          ask: async () => null,
          whyClosed: async () => ({ isRefused: true, why: "is closed" }),
          environment: {},
        };
        for (const each of [spec.example, { cwd: "not absolute" }, {}]) {
          const findings = await adapter.check(each, nothing);
          for (const { message } of findings) assert.match(message, /^[A-Z].*\.$/s);
        }
        assert.notDeepEqual(await adapter.check(spec.example, nothing), []);
      },
    },
  ];
}

function lineGuarantees({ adapter, spec, sample }: Tried): readonly Guarantee[] {
  const fresh = (): Translator => adapter.translator(orderWith(spec.example));
  return [
    {
      name: "the same lines become the same events, in every translator",
      verify: () => {
        const [one, other] = [fresh(), fresh()];
        for (const { stream, text } of sample) assert.deepEqual(one.line(stream, text), other.line(stream, text));
      },
    },
    {
      name: "what a line becomes does not hang on when the lines of the other stream came",
      verify: () => {
        for (const stream of ["stdout", "stderr"] as const) {
          const together = eventsOf(fresh(), sample).filter((each) => each.stream === stream);
          const alone = sample.filter((each) => each.stream === stream);
          assert.deepEqual(together, eventsOf(fresh(), alone));
        }
      },
    },
    {
      name: "the data of an event is what its kind has",
      verify: () => {
        for (const { events } of eventsOf(fresh(), [...sample, ...oddLines()])) events?.forEach(verifyEvent);
      },
    },
    {
      name: "a line of JSON of an unknown type is output, as plain text is",
      verify: () => {
        for (const text of ["plain", "", '{"type":"of tomorrow","text":"x"}', "{}", "[1]", '"text"', "null", "{"]) {
          assert.equal(fresh().line("stdout", text), null, text);
        }
      },
    },
    {
      name: "nothing that a program can print makes it throw",
      verify: () => {
        const translator = fresh();
        for (const { stream, text } of oddLines()) translator.line(stream, text);
        for (const { text } of sample) cuts(text).forEach((piece) => void translator.line("stdout", piece));
        translator.end?.().forEach(verifyEvent);
        translator.outcome({ exitCode: 0, signal: null });
      },
    },
    {
      name: "what it tells at the end is the same for the same lines, and of every kind it can be stored",
      verify: () => {
        const ends = [fresh(), fresh()].map((translator) => {
          eventsOf(translator, sample);
          return translator.end?.() ?? [];
        });
        assert.deepEqual(ends[0], ends[1]);
        ends[0]?.forEach(verifyEvent);
      },
    },
  ];
}

function endGuarantees({ adapter, spec }: Tried): readonly Guarantee[] {
  const outcomeOf = (ending: ProgramEnding) => adapter.translator(orderWith(spec.example)).outcome(ending);
  return [
    {
      name: "an exit code other than 0 and a signal are no success",
      verify: () => {
        for (const exitCode of [1, 2, 126, 127, 128, 255]) {
          assert.notEqual(outcomeOf({ exitCode, signal: null }).code, "ok");
        }
        for (const signal of ["SIGKILL", "SIGSEGV", "SIGTERM"]) {
          assert.notEqual(outcomeOf({ exitCode: null, signal }).code, "ok");
        }
      },
    },
    {
      name: "every outcome has a known cause and a sentence",
      verify: () => {
        const endings = [0, 1, 127, 255].map((exitCode): ProgramEnding => ({ exitCode, signal: null }));
        for (const ending of [...endings, { exitCode: null, signal: "SIGKILL" }]) {
          const { code, message } = outcomeOf(ending);
          assert.ok(causeCodes.includes(code));
          assert.match(message, /^[A-Z].*\.$/s);
          assert.ok(message.length <= 2000);
        }
      },
    },
  ];
}

function orderWith(settings: Readonly<Record<string, unknown>>): AdapterOrder {
  return {
    settings,
    prompt,
    runId: "00000000-0000-7000-8000-00000000000a",
    companyId: "00000000-0000-7000-8000-00000000000b",
    agentId: "00000000-0000-7000-8000-00000000000c",
    cwd: "/srv/work",
    service: { [env("API_KEY")]: canary, [env("API_URL")]: "http://localhost:3100" },
    instructionsFile: "/srv/instructions/AGENTS.md",
    skillsFolder: "/srv/skills",
    environment: { PATH: "/usr/bin", HOME: "/home/work", SECRET_OF_THE_AGENT: canary },
    ownFolder: "/srv/own",
    session: { id: "1b2c3d4e-0000-4000-8000-00000000000d" },
    capMicros: 250_000,
  };
}

/** The same with nothing that an order need not have. */
function barest(order: AdapterOrder): AdapterOrder {
  return { ...order, instructionsFile: null, skillsFolder: null, session: null, capMicros: null, environment: {} };
}

function eventsOf(translator: Translator, lines: readonly SampleLine[]) {
  return lines.map(({ stream, text }) => ({ stream, text, events: translator.line(stream, text) }));
}

function verifyEvent(event: AdapterEvent): void {
  if (event.kind === "output") assert.equal(typeof event.text, "string");
  else assert.deepEqual(eventData[event.kind].parse(event.data), event.data);
}

/** What no program should print, and some do. */
function oddLines(): readonly SampleLine[] {
  const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const types = ["output", ...Object.keys(eventData)];
  const values = ["null", "0", '""', "[]", "{}", "true", "1e999", nested];
  const ofTypes = types.flatMap((type) => [
    `{"type":"${type}"}`,
    ...values.map((value) => `{"type":"${type}","text":${value},"id":${value},"inputTokens":${value}}`),
    ...values.map((value) => `{"type":"${type}","text":"x","name":"x","input":${value},"output":${value}}`),
  ]);
  const odd = ["\0\u0001\ufffd\ud800", "{".repeat(100_000), `{"a":"${"x".repeat(1_000_000)}"}`, '{"type":{}}', nested];
  const proto = '{"type":"message","text":"x","__proto__":{"type":"usage"},"constructor":1}';
  return [...odd, ...ofTypes, proto].flatMap((text) => [
    { stream: "stdout", text },
    { stream: "stderr", text },
  ]);
}

/** A line broken off in some places, as it is when it is longer than what is handed over as one. */
function cuts(text: string): readonly string[] {
  return [0.25, 0.5, 0.9].flatMap((part) => {
    const at = Math.floor(text.length * part);
    return [text.slice(0, at), text.slice(at)];
  });
}
