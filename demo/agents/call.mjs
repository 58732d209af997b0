/** What both agents know of the world: the variables of their run, and Roster's HTTP API behind them. */
const { SERVICE_API_URL: service, SERVICE_API_KEY: credential } = process.env;
/** As much of an answer as a reader of the transcript wants to see. */
const mostShown = 2000;
let calls = 0;

/**
 * Calls Roster with the credential of this run. Answers JSON as values and documents as text; a refusal is thrown with
 * its own sentence, and ends the program with a code that says so.
 */
export async function call(method, path, body) {
  calls += 1;
  const id = String(calls);
  tell({ type: "tool_call", id, name: `${method} ${path}`, input: body ?? {} });
  const response = await fetch(service + path, {
    method,
    headers: { authorization: `Bearer ${credential}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  tell({ type: "tool_result", id, output: text.slice(0, mostShown), isError: !response.ok });
  const answer = isJson ? JSON.parse(text) : text;
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${answer.error ?? text}`);
  return answer;
}

/** Tells what a language model would have cost: these agents have none, and costs are to be seen. */
export function spend(costUsd) {
  const usage = { provider: "demo", model: "script", inputTokens: Math.round(costUsd * 90_000), outputTokens: 900 };
  tell({ type: "usage", ...usage, costUsd });
}

/** Says something. */
export function say(text) {
  tell({ type: "message", text });
}

/** A line of JSON with a known type is an event of the run; any other line is kept as it is. */
function tell(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}
