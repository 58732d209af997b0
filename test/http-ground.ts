import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient, type Run, type RunEvent } from "@roster/client";
import { type Received, type Receiver, startReceiver } from "@roster/testing";
import { bundle } from "../scripts/build.mjs";
import { withServer } from "./with-server.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The runner as it is shipped, with the program that it calls addresses by. */
export interface BuiltRunner {
  /** The file that Node runs. */
  readonly program: string;
  remove(): Promise<void>;
}

/** Builds the runner, below the tree, where it finds the packages. */
export async function buildRunner(): Promise<BuiltRunner> {
  await mkdir(join(root, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(root, ".cache", "http-"));
  const sources = [
    { name: "runner", source: "apps/runner/src/main.ts" },
    { name: "http-call", source: "packages/adapters/src/http/call/main.ts" },
  ];
  await bundle(root, sources, folder);
  await writeFile(join(folder, "build.json"), JSON.stringify({ hash: "test", version: "0.0.0" }));
  return { program: join(folder, "runner.js"), remove: () => rm(folder, { recursive: true }) };
}

/** A server, a runner that can be killed, and an agent behind an address. */
export interface HttpGround {
  readonly board: Client;
  readonly companyId: string;
  readonly receiver: Receiver;
  /** Wakes an agent over HTTP with these settings; answers the call that its receiver got. */
  begin(settings?: object): Promise<{ readonly runId: string; readonly call: Received }>;
  /** A client with what the order of a run says. */
  inRun(call: Received): Client;
  /** Follows a run to its end. */
  over(runId: string): Promise<{ readonly run: Run; readonly events: readonly RunEvent[] }>;
  killRunner(): Promise<void>;
  startRunner(): void;
}

/** Runs `work` with all of it; receivers accept runs with 202. */
export function withHttpGround(built: BuiltRunner, work: (ground: HttpGround) => Promise<void>): Promise<void> {
  return withServer(async ({ url }) => {
    const board = createClient({ baseUrl: url });
    const { id: companyId } = await board.companies.create({ body: { name: "Acme" } });
    const { token } = await board.fleet.register({ body: { name: "cellar" } });
    const home = await mkdtemp(join(tmpdir(), "roster-http-"));
    await writeFile(join(home, "runner.token"), `${token}\n`, { mode: 0o600 });
    const receiver = await startReceiver();
    receiver.onRun = ({ answer }) => answer.writeHead(202).end();
    const env = {
      ...{ PATH: process.env["PATH"] ?? "", HOME: home, SERVICE_HOME: home, SERVICE_CONTROL_SOCKET: join(home, "s") },
      ...{ SERVICE_RUNNER_URL: url, SERVICE_LOG_LEVEL: "error", SERVICE_EGRESS_ALLOW: receiver.place },
    };
    let runner: ChildProcess | null = null;
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      if (runner === null) return;
      const exit = once(runner, "exit");
      runner.kill(signal);
      runner = null;
      await exit;
    };
    const startRunner = (): void => {
      runner = spawn(process.execPath, [built.program], { env, stdio: ["ignore", 2, 2] });
    };
    startRunner();
    try {
      const plain = { board, companyId, receiver, startRunner, killRunner: () => end("SIGKILL") };
      await work({ ...plain, ...callsOf(url, plain) });
    } finally {
      await end("SIGTERM");
      receiver.close();
      await rm(home, { recursive: true });
    }
  });
}

type Parts = Pick<HttpGround, "board" | "companyId" | "receiver">;

function callsOf(url: string, { board, companyId, receiver }: Parts): Pick<HttpGround, "begin" | "inRun" | "over"> {
  return {
    begin: async (settings = {}) => {
      const adapterConfig = { url: receiver.url, graceSec: 5, ...settings };
      const body = { name: "Ada", adapterType: "http", adapterConfig };
      const { id: agentId } = await board.agents.create({ params: { companyId }, body });
      const { run } = await board.runs.wakeup({ params: { agentId }, body: { reason: "Because" } });
      return { runId: run?.id ?? "", call: await receiver.call("run.start") };
    },
    inRun: ({ body }) => {
      const { SERVICE_API_KEY: token } = body["environment"] as Record<string, string>;
      return createClient({ baseUrl: url, token });
    },
    over: async (runId) => {
      const events: RunEvent[] = [];
      for await (const event of board.runs.events.follow({ params: { runId } })) events.push(event);
      return { run: await board.runs.get({ params: { runId } }), events };
    },
  };
}
