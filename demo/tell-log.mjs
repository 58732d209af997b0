import { part, print } from "./voice.mjs";

/** The whole log as it stands in the database, a line an entry: its number, when, which entry led to it, and who did what. */
export function tellLog(entries) {
  part(
    "7. Who did what, and why",
    "Each line was written in the transaction of what it tells, by the credential that did it, and cannot be changed or removed. The number after ← is the entry that led to it: follow it back, and you are at what somebody wanted.",
  );
  print(...entries.map(lineOf));
  const done = entries.findLast(({ action, details }) => action === "issue.moved" && details.to === "done");
  if (done !== undefined)
    print("", `Why is ${done.details.identifier} done? Read the arrows:`, ...chainTo(done, entries));
}

/** The entries that led to one, the first of them at the end. */
function chainTo(entry, entries) {
  const before = entries.find(({ seq }) => seq === entry.cause.seq);
  return [lineOf(entry), ...(before === undefined || before === entry ? [] : chainTo(before, entries))];
}

function lineOf({ seq, createdAt, cause, sentence }) {
  const number = String(seq).padStart(5);
  const time = createdAt.slice(11, 23);
  const because = cause.seq === null || cause.seq === seq ? "" : `← ${cause.seq}`;
  return `${number}  ${time}  ${because.padEnd(5)} ${sentence}`;
}
