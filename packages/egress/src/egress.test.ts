import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createRawServer, type Socket } from "node:net";
import { selfSigned } from "@roster/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEgress, type EgressOptions } from "./egress.ts";

type Answering = (asked: IncomingMessage, answer: ServerResponse) => void;

let server: Server;
let port: number;
let answering: Answering;
let seen: IncomingMessage[];
beforeAll(async () => {
  server = createServer((asked, answer) => {
    seen.push(asked);
    answering(asked, answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
  answering = (_asked, answer) => answer.end("here");
});

const calm = new AbortController().signal;
const limits = { mostBytes: 1000, signal: calm };
const open = (options: EgressOptions = {}) => createEgress({ allow: `127.0.0.1:${port}`, ...options });
const get = (path: string, options?: EgressOptions, over = {}) =>
  open(options).get(new URL(path, `http://127.0.0.1:${port}`), { ...limits, ...over });
const redirectTo = (location: string): void => {
  answering = (_asked, answer) => answer.writeHead(302, { location, "set-cookie": "a=b" }).end();
};

describe("what is open is fetched", () => {
  test("whatever its status, with nothing but the headers it was given", async () => {
    answering = (_asked, answer) => answer.writeHead(404, { "content-type": "text/plain" }).end("not here");
    const page = await get("/a/b?c=d", {}, { headers: { accept: "text/plain" } });
    expect(page).toMatchObject({ status: 404, contentType: "text/plain", movedTo: null });
    expect(page.body.toString()).toBe("not here");
    expect(seen[0]?.url).toBe("/a/b?c=d");
    expect(seen[0]?.headers).toEqual({
      accept: "text/plain",
      "accept-encoding": "identity",
      connection: "close",
      host: `127.0.0.1:${port}`,
    });
  });

  test("after redirects, at most five, without the cookies that were set", async () => {
    answering = ({ url }, answer) => {
      const left = Number(url?.slice(1));
      if (left === 0) answer.end("end");
      else answer.writeHead(301, { location: `/${left - 1}`, "set-cookie": "a=b" }).end();
    };
    const page = await get("/5");
    expect([page.url.pathname, page.body.toString()]).toEqual(["/0", "end"]);
    expect(seen.some(({ headers }) => headers.cookie !== undefined)).toBe(false);
    await expect(get("/6")).rejects.toMatchObject({ kind: "away", message: "redirects more than 5 times" });
  });

  test("by the address that was checked, though the name leads elsewhere when it is asked again", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const egress = open({ allow: `rebind.example:${port}`, resolve: async () => answers.shift() ?? [] });
    const page = await egress.get(new URL(`http://rebind.example:${port}/`), limits);
    expect(page.body.toString()).toBe("here");
    expect(answers).toHaveLength(1);
  });

  test("from the next address where the first does not answer", async () => {
    const resolve = async () => ["::1", "127.0.0.1"];
    const page = await open({ allow: `two.example:${port}`, resolve }).get(
      new URL(`http://two.example:${port}/`),
      limits,
    );
    expect(page.body.toString()).toBe("here");
  });

  test("over TLS, for the name that was asked and no other", async () => {
    const { key, cert } = selfSigned("secure.example");
    const secure = createTlsServer({ key, cert }, (_asked, answer) => void answer.end("sealed")).listen(0, "127.0.0.1");
    await once(secure, "listening");
    const at = (secure.address() as AddressInfo).port;
    const egress = (ca?: string) => open({ allow: `127.0.0.1:${at}`, resolve: async () => ["127.0.0.1"], ca });
    const page = await egress(cert).get(new URL(`https://secure.example:${at}/`), limits);
    expect(page.body.toString()).toBe("sealed");
    for (const [host, ca] of [
      ["other.example", cert],
      ["secure.example", undefined],
    ]) {
      const refused = egress(ca).get(new URL(`https://${host}:${at}/`), limits);
      await expect(refused).rejects.toMatchObject({ kind: "away" });
    }
    secure.close();
  });
});

describe("what is not open is not even connected to", () => {
  const refused = { kind: "refused" };
  afterEach(() => expect(seen.filter(({ url }) => url === "/secret")).toEqual([]));

  test("a private address, without an entry and beside one", async () => {
    await expect(get("/secret", { allow: "" })).rejects.toMatchObject(refused);
    await expect(get("/secret", { allow: `127.0.0.1:${port + 1},127.0.0.2` })).rejects.toMatchObject(refused);
  });

  test("a name of which one address is private", async () => {
    const resolve = async () => ["8.8.8.8", "127.0.0.1"];
    const asked = open({ allow: "", resolve }).get(new URL("https://a.example/secret"), limits);
    await expect(asked).rejects.toMatchObject({ ...refused, message: "leads to an address that is not public" });
  });

  test.each(["http://127.0.0.2/secret", "http://localhost/secret", "http://[::1]/secret", "http://169.254.169.254/"])(
    "a redirect to %s",
    async (location) => {
      redirectTo(location);
      await expect(get("/")).rejects.toMatchObject(refused);
    },
  );

  test("a redirect to a name that has become private since", async () => {
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    const egress = open({ allow: `127.0.0.1:${port}`, resolve: async () => answers.shift() ?? [] });
    redirectTo("/secret");
    await expect(egress.get(new URL(`http://rebind.example:${port}/`), limits)).rejects.toMatchObject(refused);
  });

  test("a redirect with credentials, to a file, or from https to http", async () => {
    for (const location of [`http://me:word@127.0.0.1:${port}/secret`, "file:///etc/passwd", "javascript:0"]) {
      redirectTo(location);
      await expect(get("/")).rejects.toMatchObject(refused);
    }
    const { key, cert } = selfSigned("secure.example");
    const location = `http://127.0.0.1:${port}/secret`;
    const moved = (_asked: IncomingMessage, answer: ServerResponse) => void answer.writeHead(302, { location }).end();
    const secure = createTlsServer({ key, cert }, moved).listen(0, "127.0.0.1");
    await once(secure, "listening");
    const at = (secure.address() as AddressInfo).port;
    const allow = `127.0.0.1:${at},127.0.0.1:${port}`;
    const egress = open({ allow, ca: cert, resolve: async () => ["127.0.0.1"] });
    const asked = egress.get(new URL(`https://secure.example:${at}/`), limits);
    await expect(asked).rejects.toMatchObject({ ...refused, message: "redirects from https to what is not https" });
    secure.close();
  });
});

describe("what takes too much is cut off", () => {
  const closed = async () => {
    const socket = seen[0]?.socket as Socket;
    if (!socket.closed) await once(socket, "close");
  };

  test("too many bytes, announced or not", async () => {
    answering = (_asked, answer) => {
      const more = (): boolean => answer.writable && answer.write("x".repeat(1 << 16), more as () => void);
      more();
    };
    await expect(get("/")).rejects.toMatchObject({ kind: "large", message: "has more than 1000 bytes" });
    answering = (_asked, answer) => answer.end("x".repeat(1001));
    await expect(get("/")).rejects.toMatchObject({ kind: "large" });
    answering = (_asked, answer) => answer.end("x".repeat(1000));
    expect((await get("/")).body).toHaveLength(1000);
  });

  test("an answer in an encoding that hides its size", async () => {
    answering = (_asked, answer) => answer.writeHead(200, { "content-encoding": "gzip" }).end("x");
    await expect(get("/")).rejects.toMatchObject({ kind: "away" });
  });

  test.each([
    ["before its first byte", (_answer: ServerResponse) => undefined],
    ["in its middle", (answer: ServerResponse) => void answer.writeHead(200).write("x")],
  ])("an answer that stops %s", async (_when, stopping) => {
    const controller = new AbortController();
    answering = (_asked, answer) => {
      stopping(answer);
      controller.abort(new DOMException("", "TimeoutError"));
    };
    const slow = get("/", {}, { signal: controller.signal });
    await expect(slow).rejects.toMatchObject({ kind: "away", message: "took too long" });
    await closed();
  });

  test("a resolver that does not answer", async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const slow = open({ resolve }).get(new URL("https://a.example"), { ...limits, signal: AbortSignal.timeout(50) });
    await expect(slow).rejects.toMatchObject({ kind: "away", message: "took too long" });
  });

  test("what speaks no HTTP, hangs up, or is not there", async () => {
    const raw = createRawServer((socket) => void socket.end("SSH-2.0\r\n").resume()).listen(0, "127.0.0.1");
    await once(raw, "listening");
    const at = (raw.address() as AddressInfo).port;
    const ask = () => open({ allow: `127.0.0.1:${at}` }).get(new URL(`http://127.0.0.1:${at}/`), limits);
    await expect(ask()).rejects.toMatchObject({ kind: "away" });
    await new Promise((resolve) => raw.close(resolve));
    await expect(ask()).rejects.toMatchObject({ kind: "away", message: "could not be reached (ECONNREFUSED)" });
  });
});

describe("a proxy for a program", () => {
  const proxied = async (target: string, over = {}) => open().proxy(new URL(target), { ...limits, ...over });

  /** Asks a proxy as a program would that was given its address. */
  function ask(proxy: string, path: string, word = new URL(proxy).password): Promise<{ status: number; text: string }> {
    const authorization = `Basic ${Buffer.from(`git:${word}`).toString("base64")}`;
    const { port: at } = new URL(proxy);
    return new Promise((resolve, reject) => {
      const asking = request(
        { port: at, path, agent: false, headers: { "proxy-authorization": authorization } },
        async (answer) => {
          let text = "";
          try {
            for await (const part of answer) text += part;
            resolve({ status: answer.statusCode ?? 0, text });
          } catch (error) {
            reject(error);
          }
        },
      );
      asking.on("error", reject);
      asking.end();
    });
  }

  test("leads to its one address, whose host it names anew, and not further", async () => {
    const proxy = await proxied(`http://127.0.0.1:${port}/x.git`);
    expect(await ask(proxy.url, `http://127.0.0.1:${port}/y`)).toEqual({ status: 200, text: "here" });
    expect(seen[0]?.headers).toEqual({ host: `127.0.0.1:${port}`, connection: "close" });
    for (const elsewhere of [`http://127.0.0.1:${port + 1}/`, `http://localhost:${port}/`, "http://a.example/", "/y"]) {
      expect((await ask(proxy.url, elsewhere)).status).toBe(403);
    }
    expect((await ask(proxy.url, `http://127.0.0.1:${port}/y`, "guess")).status).toBe(407);
    expect(seen).toHaveLength(1);
    await proxy.close();
    await expect(ask(proxy.url, `http://127.0.0.1:${port}/y`)).rejects.toThrow("ECONNREFUSED");
  });

  test("is not opened to what is not open", async () => {
    await expect(proxied("http://127.0.0.2/")).rejects.toMatchObject({ kind: "refused" });
  });

  test("is cut off after its bytes, over all requests, and says so", async () => {
    const proxy = await proxied(`http://127.0.0.1:${port}/`);
    answering = (_asked, answer) => answer.end("x".repeat(600));
    const target = `http://127.0.0.1:${port}/`;
    expect((await ask(proxy.url, target)).status).toBe(200);
    await expect(ask(proxy.url, target)).rejects.toThrow();
    expect(proxy.fault).toMatchObject({ kind: "large" });
    await proxy.close();
  });

  test("is cut off at the signal, and says so", async () => {
    const controller = new AbortController();
    const proxy = await proxied(`http://127.0.0.1:${port}/`, { signal: controller.signal });
    answering = () => controller.abort(new DOMException("", "TimeoutError"));
    await expect(ask(proxy.url, `http://127.0.0.1:${port}/`)).rejects.toThrow();
    expect(proxy.fault).toMatchObject({ kind: "away", message: "took too long" });
    await proxy.close();
  });
});
