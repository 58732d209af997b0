/** The part of autocannon's interface that is used here. */
declare module "autocannon" {
  import type { EventEmitter } from "node:events";

  namespace autocannon {
    interface Request {
      method: string;
      path: string;
      headers: Record<string, string>;
      body?: string;
      setupRequest?: (request: Request) => Request;
    }

    interface Options {
      url: string;
      connections: number;
      duration: number;
      /** So many requests, however long they take; goes before the duration. */
      amount?: number;
      requests: Request[];
    }

    interface Result {
      readonly errors: number;
      readonly non2xx: number;
      readonly "2xx": number;
    }

    /** Emits `response` with the client, the status, the bytes and the milliseconds it took. */
    type Instance = EventEmitter & PromiseLike<Result>;
  }

  function autocannon(options: autocannon.Options): autocannon.Instance;
  export = autocannon;
}
