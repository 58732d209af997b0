import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runEnvironment } from "@roster/adapter";
import {
  actions,
  allOperations,
  type CallerRule,
  causeCodes,
  permissions,
  refusalStatus,
  runStatuses,
  waitingReasons,
} from "@roster/contract";
import { registerRunner } from "@roster/server";
import { beforeAll, describe, expect, it } from "vitest";
import { type BuiltRunner, buildRunner } from "./built-runner.ts";
import { type Mode, type Running, withServer } from "./with-server.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path))
    .sort();
const foldersIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const runnable = ["README.md", ...filesIn("docs/guide", ".md")];
const documents = ["README.md", "AGENTS.md", "STYLE.md", ...filesIn("docs", ".md")];

/** Everything that `pattern` finds, by its groups. */
const found = (text: string, pattern: RegExp): string[][] =>
  Array.from(text.matchAll(pattern), ([, ...groups]) => groups.map((group) => group ?? ""));

const fences = (text: string, language: string): string[] =>
  found(text, new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm")).map(([body = ""]) => body);

/** A block that a reader pastes, and what the document shows as its output right after it. */
interface Step {
  readonly commands: string;
  readonly shownAs: string;
  readonly shown: string;
}

const stepsOf = (text: string): Step[] =>
  found(text, /^```sh\n([\s\S]*?)^```$(?:\n\n```(text|json)\n([\s\S]*?)^```$)?/gm).map(
    ([commands = "", shownAs = "", shown = ""]) => ({ commands, shownAs, shown }),
  );

/** As {@link withServer}, with a runner beside it, as `npm start` has one. */
const withRunner = <T>(runner: BuiltRunner, mode: Mode, work: (server: Running) => Promise<T>): Promise<T> =>
  withServer(async (server) => {
    const host = { database: server.database, notifier: { notify: () => undefined } };
    const { token } = await registerRunner(host, { name: "laptop" });
    const stop = await runner.start(server.url, token);
    return work(server).finally(stop);
  }, mode);

const mark = "=== the next block";

/** Pastes the blocks in order into one bash, which ends at the first command that fails. Answers their outputs. */
async function paste(steps: readonly Step[], { url, userHome }: Running): Promise<string[]> {
  const script = steps.map(({ commands }) => `echo "${mark}"\n${commands}`).join("\n");
  const here = script.replaceAll("http://localhost:3100", url);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", here], {
    cwd: root,
    env: { ...process.env, HOME: userHome },
  });
  return stdout.split(`${mark}\n`).slice(1);
}

/** What differs from one machine to the next, and from one time to the next: runners' names, the public part of a key. */
const withoutChance = (text: string): string =>
  text.replace(/\((?:svk_)?\w{8}…\)/g, "(…)").replace(/to the runner \S+/g, "to the runner …");

function expectShown({ shownAs, shown }: Step, output: string): void {
  if (shownAs === "json") {
    expect({ ...JSON.parse(output), requestId: "" }).toEqual({ ...JSON.parse(shown), requestId: "" });
  } else if (shownAs === "text") expect(withoutChance(output)).toBe(withoutChance(shown));
}

describe("what a reader pastes", () => {
  let runner: BuiltRunner;
  beforeAll(async () => {
    runner = await buildRunner();
    return runner.remove;
  }, 120_000);

  it.each(runnable.filter((path) => stepsOf(read(path)).length > 0))(
    "works in order and prints what the document shows: %s",
    async (path) => {
      const steps = stepsOf(read(path));
      const mode = path === "docs/guide/people.md" ? "authenticated" : "local_trusted";
      const outputs = await withRunner(runner, mode, (server) => paste(steps, server));
      expect(outputs).toHaveLength(steps.length);
      for (const [index, step] of steps.entries()) {
        expect(outputs[index]?.split("\n"), step.commands).not.toContain("undefined");
        expectShown(step, outputs[index] ?? "");
      }
    },
    120_000,
  );

  it("ends, in the README, with the log read as sentences", async () => {
    const last = stepsOf(read("README.md")).at(-1);
    expect(last?.commands).toContain("/activity");
    expect(last?.shown).toMatch(
      /^The board created the company Acme\n[\s\S]*rolled the agent Ada back to revision 2\n$/,
    );
  });

  it("neither starts the product nor runs tests; what does is a console block and a script of package.json", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    for (const path of documents) {
      const text = read(path);
      expect(fences(text, "sh").join("\n"), path).not.toMatch(/\bnpm\b|\bnpx\b/);
      const named = found(text, /\bnpm (?:(start|test)\b|run ([\w-]+))/g).map(([own, other]) => own || other);
      for (const name of named) expect(Object.keys(scripts), path).toContain(name);
    }
    for (const name of Object.keys(scripts)) expect(read("AGENTS.md")).toMatch(new RegExp(`\`npm (?:run )?${name}\\b`));
  });
});

describe("a list in a document is whole", () => {
  it("the refusal codes, with their status, and which of them nothing answers yet", () => {
    const text = read("docs/guide/api.md");
    const rows = found(text, /^\| `([a-z_]+)` \| (\d{3}) \|/gm);
    const [[unused = ""] = []] = found(text, /^Declared for what is not there yet([\s\S]*?)\n\n/gm);
    const kept = unused.split(";").flatMap((part) => {
      const status = /\d{3}/.exec(part)?.[0] ?? "";
      return found(part, /`([a-z_]+)`/g).map(([code = ""]) => [code, status]);
    });
    const listed = Object.fromEntries([...rows, ...kept].map(([code, status]) => [code, Number(status)]));
    expect(listed).toEqual(refusalStatus);
    const sources = filesIn("apps/server/src", ".ts").filter((path) => !path.endsWith(".test.ts"));
    const code = sources.map(read).join("\n");
    const answered = found(code, /(?:Refusal|super|refuse)\(\s*"(\w+)"|code: "(\w+)"/g).flat();
    const unanswered = Object.keys(refusalStatus).filter((name) => !answered.includes(name));
    expect(kept.map(([name]) => name).sort()).toEqual(unanswered.sort());
  });

  it("the permission table, with the operations of each row", () => {
    const rows = Object.entries<CallerRule>(permissions).map(
      ([row, { board, agent, public: open, runner, scraper }]) => {
        const own = allOperations().filter(({ operation }) => operation.may === row);
        const names = own.map(({ name }) => `\`${name}\``).join(", ");
        const others = `${open ? ", public" : ""}${runner ? ", runner" : ""}${scraper ? ", scraper" : ""}`;
        return `| \`${row}\` | ${board} | ${agent}${others} | ${names} |`;
      },
    );
    const [[shown] = []] = found(read("docs/guide/api.md"), /^\| row \| board .*\n.*\n((?:\|.*\n)+)/gm);
    expect(shown?.trimEnd().split("\n")).toEqual(rows);
  });

  it("the settings of server and runner", () => {
    const sources = ["apps/server/src/config.ts", "apps/runner/src/settings.ts"].map(read).join("\n");
    const known = found(sources, /^ {2}([A-Z][A-Z_]+):/gm).map(([name]) => name);
    const text = read("docs/guide/start.md");
    const named = found(text, /\b(SERVICE_[A-Z_]+|PORT|DATABASE_URL)\b/g).map(([name]) => name);
    expect([...new Set(named)].sort()).toEqual([...new Set(known)].sort());
    for (const name of ["PORT", "SERVICE_HOME", "DATABASE_URL"]) expect(read("README.md")).toContain(`| \`${name}\` |`);
  });

  it("the environment of a run: what every run has, and what only some have", () => {
    const text = read("docs/guide/running.md");
    const rows = found(text, /^\| `(SERVICE_[A-Z_]+)` \| (always|sometimes) \|/gm);
    expect(rows).toEqual(runEnvironment.map(({ name, always }) => [name, always ? "always" : "sometimes"]));
  });

  it("the states and the causes of a run, each once", () => {
    const cells = found(read("docs/guide/running.md"), /^\| (`.*?`) \|/gm)
      .flat()
      .join(" ");
    const rows = found(cells, /`(\w+)`/g).flat();
    for (const name of [...runStatuses, ...causeCodes, ...waitingReasons]) expect(rows, name).toContain(name);
  });

  it("the tree: every package, app and module", () => {
    const tree = fences(read("AGENTS.md"), "text").join("\n");
    const folders = ["packages", "apps"].flatMap((place) => foldersIn(place).map((name) => `${place}/${name}`));
    expect(
      found(tree, /^((?:packages|apps)\/[\w-]+)/gm)
        .flat()
        .sort(),
    ).toEqual(folders.sort());
    const [[modules = ""] = []] = found(tree, /src\/modules\s+([a-z\s-]+?)^scripts/gm);
    expect(modules.trim().split(/\s+/).sort()).toEqual(foldersIn("apps/server/src/modules").sort());
  });

  it("the words: every kind of entity of the log, and the promises P1 to P14", () => {
    const text = read("AGENTS.md");
    for (const { entity } of Object.values(actions))
      expect(text).toMatch(new RegExp(`\\*\\*${entity}\\*\\*|\`${entity}\``));
    expect(found(text, /^- (P\d+) /gm).flat()).toEqual(Array.from({ length: 14 }, (_, index) => `P${index + 1}`));
  });

  it("the trust of local mode, in the words of the start", () => {
    const [[sentence = ""] = []] = found(read("apps/launcher/src/words.ts"), /trustSentence =\s+"([^"]+)"/g);
    expect(sentence).not.toBe("");
    expect(read("README.md")).toContain(sentence);
  });

  it("the tables and indexes without a company, and no others", async () => {
    const indexes = await withServer(
      ({ database }) => database.driver<{ table: string; index: string; columns: string; isPrimary: boolean }[]>`
        select c.relname as table, i.relname as index, x.indisprimary as "isPrimary",
          (select string_agg(a.attname, ',' order by k.n) from unnest(x.indkey::int[]) with ordinality as k (num, n)
            join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num) as columns
        from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
        where c.relnamespace = 'public'::regnamespace order by 1, 2`,
    );
    const strangers = indexes.filter(({ columns }) => !columns.startsWith("company_id"));
    const names = strangers.map(({ table, index, isPrimary }) => (isPrimary ? table : index));
    const [[section = ""] = []] = found(read("docs/scale.md"), /^## Lookups without a company([\s\S]*?)^## /gm);
    const listed = found(section, /^\| (.*?) \| (.*?) \|/gm).flatMap((cells) => found(cells.join(" "), /`([a-z_]+)`/g));
    const others = new Set(["issue_prefix"]);
    expect([...new Set(listed.flat())].filter((name) => !others.has(name)).sort()).toEqual([...names].sort());
  });
});

describe("a document", () => {
  it.each(documents)("refers only to what is there: %s", (path) => {
    const text = read(path);
    const links = found(text, /\]\((?!https?:)([^)#\s]+)/g).map(([link = ""]) => join(dirname(path), link));
    const paths = found(text, /`((?:apps|packages|scripts|test|docs|bench)\/[\w./-]+)`/g).map(([named = ""]) => named);
    for (const target of [...links, ...paths]) expect(existsSync(join(root, target)), target).toBe(true);
  });

  it("is short: AGENTS.md at most 100 lines, a decision at most 30, dated", () => {
    expect(read("AGENTS.md").split("\n").length - 1).toBeLessThanOrEqual(100);
    for (const path of filesIn("docs/decisions", ".md")) {
      const text = read(path);
      expect(text.split("\n").length - 1, path).toBeLessThanOrEqual(30);
      expect(text, path).toMatch(
        /^# .+\n\n\d{4}-\d\d-\d\d\n[\s\S]*\*\*Context\.\*\*[\s\S]*\*\*Decision\.\*\*[\s\S]*\*\*Consequence\.\*\*/,
      );
    }
  });
});
