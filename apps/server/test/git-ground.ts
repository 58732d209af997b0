import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const tried = spawnSync("git", ["http-backend"], { env: { PATH: process.env["PATH"] }, encoding: "utf8" });
/** Whether this machine has git, with what serves repositories over HTTP. */
export const hasGit = tried.error === undefined && !tried.stderr.includes("is not a git command");
if (!hasGit)
  process.stderr.write("=== SKIPPED: imports of repositories are not tested, because git is not installed\n");

/** The content of a file: a text, bytes, or where a link leads. */
export type Content = string | Buffer | { readonly link: string };

/** A repository that is served. */
export interface ServedRepository {
  readonly url: string;
  /** Makes these files the whole content of the branch. Answers the commit. */
  commit(files: Readonly<Record<string, Content>>): Promise<string>;
  /** git in the repository. */
  git(...args: string[]): string;
}

/** A git server on a port of this machine. */
export interface GitGround {
  readonly url: string;
  readonly port: number;
  /** What was asked, oldest first: method and address. */
  readonly asked: string[];
  /** Answers a request instead of git when it answers true. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean;
  repository(name: string): Promise<ServedRepository>;
  close(): Promise<void>;
}

const identity = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};
const environment = { PATH: process.env["PATH"] ?? "", ...identity };

/** Starts a server of repositories; over TLS with a certificate, for the name it is for. */
export async function startGitGround(tls?: { key: string; cert: string; name: string }): Promise<GitGround> {
  const root = await mkdtemp(join(tmpdir(), "roster-git-server-"));
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (!ground.instead(request, response)) serve(root, request, response);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ground: GitGround = {
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://${tls.name}:${port}`,
    port,
    asked,
    instead: () => false,
    repository: (name) => repositoryAt(join(root, `${name}.git`), `${ground.url}/${name}.git`),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true });
    },
  };
  return ground;
}

async function repositoryAt(folder: string, url: string): Promise<ServedRepository> {
  const work = `${folder}.work`;
  const git = (...args: string[]): string =>
    execFileSync("git", [`--git-dir=${folder}`, `--work-tree=${work}`, ...args], {
      cwd: work,
      env: environment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  await mkdir(work, { recursive: true });
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", folder], { env: environment });
  git("config", "uploadpack.allowFilter", "true");
  return {
    url,
    git,
    commit: async (files) => {
      await rm(work, { recursive: true });
      await mkdir(work);
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(work, path)), { recursive: true });
        if (typeof content === "string" || Buffer.isBuffer(content)) await writeFile(join(work, path), content);
        else await symlink(content.link, join(work, path));
      }
      git("add", "--all", "--force");
      git("commit", "--quiet", "--allow-empty", "--message=x");
      return git("rev-parse", "HEAD");
    },
  };
}

/** The common gateway to git's own server program. */
function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://here");
  const { headers } = request;
  const child = spawn("git", ["http-backend"], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method ?? "",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: headers["content-type"] ?? "",
      CONTENT_LENGTH: headers["content-length"] ?? "",
      HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  response.once("close", () => child.kill());
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  child.stdout.on("data", (part: Buffer) => {
    if (response.headersSent) return void response.write(part);
    head = Buffer.concat([head, part]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    const fields = head
      .subarray(0, end)
      .toString()
      .split("\r\n")
      .map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = Number.parseInt(fields.find(([name]) => name === "Status")?.[1] ?? "200", 10);
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== "Status")));
    response.write(head.subarray(end + 4));
  });
  child.once("close", () => response.end());
}
