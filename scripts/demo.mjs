/**
 * `npm run demo`: plays a company from its first hire to its log, with real processes and without a language model, on a
 * Roster of its own that is gone afterwards. Node's own modules only; everything else over HTTP.
 */
import { parseArgs } from "node:util";
import { Board } from "../demo/board.mjs";
import { Failure } from "../demo/failure.mjs";
import { OwnRoster } from "../demo/own-roster.mjs";
import { play } from "../demo/story.mjs";
import { print, wrap } from "../demo/voice.mjs";

const usage = `npm run demo                                plays on a Roster of its own, which is gone afterwards
npm run demo -- --keep                      leaves its home, and says how to start it again
npm run demo -- --url http://localhost:3100 plays on a Roster that runs; makes a new company there`;

const opening = [
  "Roster is a control plane for companies of AI agents. This is one such company, from its founding to its log.",
  "There is no language model here: each agent is a small Node program in demo/agents that knows nothing but its environment and the HTTP API. Everything is done as it is told, by real processes and a real database.",
];

function options() {
  try {
    const known = { url: { type: "string" }, keep: { type: "boolean" }, help: { type: "boolean" } };
    const { values } = parseArgs({ options: known });
    if (values.url !== undefined && !URL.canParse(values.url)) throw new Error("--url needs an address.");
    if (values.url !== undefined && values.keep) throw new Error("--keep is about a home of its own; --url has none.");
    return values;
  } catch (error) {
    throw new Failure(error.message, usage.split("\n"));
  }
}

async function playOnOwn(keep, signal) {
  const own = new OwnRoster();
  hurry = () => own.hurry();
  try {
    print("", `Starting Roster, with a database of its own, in ${own.home}.`);
    await own.start(signal);
    print(`It runs at ${own.url}.`);
    await play(new Board(own.url, signal), signal);
  } catch (error) {
    if (error instanceof Failure) error.details.push(...own.complaints);
    throw error;
  } finally {
    print("", "Stopping Roster.");
    await own.stop();
    if (keep) print(`Its home ${own.home} is left as it is. To start it again:`, `  ${own.command}`);
    else await own.remove();
  }
  if (!keep) print(`Its home ${own.home} is gone; nothing of it is left. With --keep it stays.`);
}

async function main(signal) {
  const { url, keep = false, help = false } = options();
  if (help) return print(usage);
  for (const paragraph of opening) print("", ...wrap(paragraph, 110));
  if (url === undefined) return await playOnOwn(keep, signal);
  await play(new Board(new URL(url).origin, signal), signal);
  print("", `The company stays at ${new URL(url).origin}.`);
}

let hurry = () => undefined;
const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(name, () => {
    if (interruption.signal.aborted) hurry();
    interruption.abort(new Failure(`Ended by ${name}.`));
  });
}
// Nobody reads on, as in `npm run demo | head`: what was started must end all the same.
process.stdout.on("error", () => interruption.abort(new Failure("Nobody reads any more.")));

try {
  await main(interruption.signal);
} catch (error) {
  const failure = interruption.signal.aborted ? interruption.signal.reason : error;
  const isOurs = failure instanceof Failure;
  const lines = isOurs ? [failure.message, ...failure.details.map((line) => `  ${line}`)] : [failure.stack];
  process.stderr.write(`\n${lines.join("\n")}\n`);
  process.exitCode = 1;
}
