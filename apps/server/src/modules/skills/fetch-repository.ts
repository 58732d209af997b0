import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { mostSkillBytes } from "@roster/contract";
import { type Egress, EgressFault } from "@roster/egress";
import { requireFound } from "./fetch-file.ts";
import { GitFault, GitMissing, type GitPlace, git } from "./git.ts";
import { inImportFolder } from "./import-folder.ts";
import type { Offer } from "./offer.ts";
import type { RepositorySource } from "./parse-source.ts";
import { readTree } from "./read-tree.ts";
import { sourceMissing, sourceUnavailable, sourceUnusable } from "./refused-source.ts";

/** Most bytes that come from a repository's server, which is also the most that it takes on the disk. */
const mostBytes = 64 * 1_048_576;
const mostGreetingBytes = 1_048_576;
const advertisement = "/info/refs?service=git-upload-pack";

/**
 * What a repository, or a folder of it, offers: the files of one commit, without its history. git runs in a folder that is
 * removed whatever happens, and reaches nothing but the address that was checked.
 */
export async function fetchRepository(egress: Egress, source: RepositorySource, signal: AbortSignal): Promise<Offer> {
  try {
    return await inImportFolder((folder) => fetchInto({ folder, signal }, egress, source));
  } catch (error) {
    throw refusalOfGit(error);
  }
}

async function fetchInto(place: GitPlace, egress: Egress, source: RepositorySource): Promise<Offer> {
  // First, because without git nothing is asked of anybody.
  await git(place, { args: ["init", "--quiet", "--bare", `${place.folder}/repository`] });
  const commit = await fetchCommit(egress, source, place);
  const read = await readTree(place, `${commit}:${source.path}`);
  return {
    ...read,
    field: "source",
    type: "git",
    keyPrefix: source.keyPrefix,
    folder: basename(source.path || source.url.pathname, ".git"),
    locate: (inner) => locatorOf(source, inner),
    ref: commit,
  };
}

function locatorOf({ url, path }: RepositorySource, inner: string): string {
  const whole = [path, inner].filter((part) => part !== "").join("/");
  return whole === "" ? url.href : `${url.href}#${whole}`;
}

async function fetchCommit(egress: Egress, { url, ref }: RepositorySource, place: GitPlace): Promise<string> {
  const { folder, signal } = place;
  const there = await findRepository(egress, url, signal);
  const proxy = await egress.proxy(there, { mostBytes, signal });
  try {
    const trusted = egress.ca === undefined ? {} : { GIT_SSL_CAINFO: `${folder}/ca.pem` };
    if (egress.ca !== undefined) await writeFile(`${folder}/ca.pem`, egress.ca);
    await git(place, {
      args: [...fetching, "--", there.href, ref ?? "HEAD"],
      settings: ["protocol.version=2", "http.followRedirects=false", "fetch.unpackLimit=1"],
      environment: {
        ...trusted,
        GIT_ALLOW_PROTOCOL: there.protocol.slice(0, -1),
        http_proxy: proxy.url,
        https_proxy: proxy.url,
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    throw proxy.fault ?? (error instanceof GitFault ? refusalOfFetch(error) : error);
  } finally {
    await proxy.close();
  }
  // Forgets where the objects came from: one that was left there is missing now, not to be fetched when it is read.
  await writeFile(`${folder}/repository/config`, "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  const commit = await git(place, { args: ["rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}"] }).catch(
    noCommit,
  );
  return commit.toString("ascii").trim();
}

const fetching = [
  "fetch",
  "--quiet",
  "--depth=1",
  "--no-tags",
  "--no-recurse-submodules",
  // What no skill may hold is not fetched at all, where the server can leave it out.
  `--filter=blob:limit=${mostSkillBytes + 1}`,
];

/**
 * Where a repository is, after redirects, which git itself is not to follow. Asks what git would ask first, so that what
 * is wrong there is told in our words.
 */
async function findRepository(egress: Egress, url: URL, signal: AbortSignal): Promise<URL> {
  const headers = { accept: "*/*", "user-agent": "git/2", "git-protocol": "version=2" };
  const asked = new URL(`${url.href}${advertisement}`);
  const page = await egress.get(asked, { headers, mostBytes: mostGreetingBytes, signal }).catch(whenLarge);
  requireFound(page.status);
  if (!page.contentType.startsWith("application/x-git-upload-pack-advertisement")) {
    throw sourceMissing("is not a repository that git can fetch over https");
  }
  if (!page.url.href.endsWith(advertisement)) {
    throw sourceUnavailable("redirects to what is not the address of a repository");
  }
  return new URL(page.url.href.slice(0, -advertisement.length));
}

function whenLarge(error: unknown): never {
  throw error instanceof EgressFault && error.kind === "large"
    ? sourceUnusable("has too many branches and tags")
    : error;
}

function noCommit(error: unknown): never {
  throw error instanceof GitFault ? sourceMissing("names a ref that leads to no commit") : error;
}

function refusalOfFetch({ told }: GitFault): Error {
  if (/couldn't find remote ref|not our ref|unadvertised object|no such remote ref/i.test(told)) {
    return sourceMissing("has no branch, tag or commit of this name; a commit is named by all its digits");
  }
  return sourceUnavailable("could not be fetched: its server broke off, or sent what git does not accept");
}

function refusalOfGit(error: unknown): unknown {
  if (error instanceof GitMissing) {
    return sourceUnavailable(
      "needs git, which is not on the machine of the service; install it there, or import the files or the folder",
    );
  }
  return error instanceof GitFault ? sourceUnavailable("holds what git could not read") : error;
}
