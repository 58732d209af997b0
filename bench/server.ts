// The real server, a process of its own, that also tells what it costs.
import { createApp, createLog, openDatabase, openMasterKey, systemClock } from "@roster/server";
import { benchKey } from "./bench-key.ts";
import { answerParent } from "./child.ts";
import { expense } from "./expense.ts";

const [databaseUrl = "", mode = "local_trusted"] = process.argv.slice(2);
const database = openDatabase({ url: databaseUrl });
const texts = new Map<string, number>();
database.statements.hear = (text) => texts.set(text, (texts.get(text) ?? 0) + 1);
const keys = await openMasterKey({ value: benchKey, file: undefined, home: undefined }, database.driver);
const app = createApp({
  database,
  keys,
  clock: systemClock,
  log: createLog("info"),
  version: "0.0.0-bench",
  ...(mode === "authenticated" && { mode, signInTries: 1_000_000 }),
});
const url = await app.listen({ port: 0, host: "127.0.0.1" });

answerParent(
  async () => ({ ...expense(url, database.statements.count), texts: Object.fromEntries(texts) }),
  async () => {
    await app.close();
    await database.close();
  },
);
