import { Failure } from "./failure.mjs";

const patienceMs = 60_000;

/**
 * The board: whoever calls the API of this machine without a credential. `signal` ends what is under way. Every method
 * answers what Roster answers; a refusal, or no answer, is a `Failure`.
 */
export class Board {
  #url;
  #signal;

  constructor(url, signal) {
    this.#url = url;
    this.#signal = signal;
  }

  get(path) {
    return this.#call("GET", path);
  }

  post(path, body) {
    return this.#call("POST", path, body);
  }

  patch(path, body) {
    return this.#call("PATCH", path, body);
  }

  async #call(method, path, body) {
    const response = await this.#send(method, path, body);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    if (response.ok) return isJson ? JSON.parse(text) : text;
    const { error = text, code = response.status, details = [] } = isJson ? JSON.parse(text) : {};
    const faults = details.map((detail) => `${detail.path} ${detail.message}`);
    throw new Failure(`${method} ${path} was refused (${code}): ${error}`, faults);
  }

  async #send(method, path, body) {
    try {
      return await fetch(this.#url + path, {
        method,
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(patienceMs)]),
        ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
    } catch (error) {
      this.#signal.throwIfAborted();
      const reason = error.cause?.code ?? error.cause?.message ?? error.message;
      throw new Failure(`No Roster answers at ${this.#url} (${reason}).`);
    }
  }
}
