/** What both agents know of the world: the variables of their run, and Roster's HTTP API behind them. */
const { SERVICE_API_URL: service, SERVICE_API_KEY: credential } = process.env;

/**
 * Calls Roster with the credential of this run. Answers JSON as values and documents as text; a refusal is thrown with
 * its own sentence, and ends the program with a code that says so.
 */
export async function call(method, path, body) {
  const response = await fetch(service + path, {
    method,
    headers: { authorization: `Bearer ${credential}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const answer = isJson ? JSON.parse(text) : text;
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${answer.error ?? text}`);
  return answer;
}

/** Says something. A line of JSON with a known type is an event of the run; any other line is kept as it is. */
export function say(text) {
  process.stdout.write(`${JSON.stringify({ type: "message", text })}\n`);
}
