// The floor: bare routes that do the same SQL by hand, a process of its own.
import { fastify } from "fastify";
import postgres from "postgres";
import { answerParent } from "./child.ts";
import { expense } from "./expense.ts";
import { scenarios } from "./scenarios.ts";

const [databaseUrl = ""] = process.argv.slice(2);
const sql = postgres(databaseUrl, { max: 10, idle_timeout: 0 });
const app = fastify();
for (const scenario of scenarios) scenario.floor(app, sql);
const url = await app.listen({ port: 0, host: "127.0.0.1" });

answerParent(
  async () => expense(url, null),
  async () => {
    await app.close();
    await sql.end();
  },
);
