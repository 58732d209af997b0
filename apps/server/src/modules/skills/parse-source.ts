import { isAbsolute } from "node:path";
import { isInnerPath, skillEntryFile } from "@roster/contract";
import { unfit } from "./unfit.ts";

/** A repository, or a folder of it. */
export interface RepositorySource {
  readonly kind: "git";
  readonly url: URL;
  /** The folder in it; empty for all of it. */
  readonly path: string;
  /** A branch, a tag or a whole commit; null for what the repository shows first. */
  readonly ref: string | null;
  /** What the keys of its skills begin with. */
  readonly keyPrefix: string;
}

/** What the text `source` of an import means. */
export type Source =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "url"; readonly url: URL }
  | RepositorySource;

const gitHub = "github.com";
const shorthand = /^([A-Za-z0-9][A-Za-z0-9-]*)\/([\w.-]+?)(?:\.git)?((?:\/[^@]*)?)(?:@(.*))?$/;
const repository = /^(https?:\/\/[^\s#?]+?\.git)\/?(?:#([^@]*))?(?:@(.*))?$/i;
const longestRef = 200;
const expected =
  "must be owner/repo[/path][@ref] of GitHub, https://….git[#path][@ref], https://…/SKILL.md, or an absolute folder";

/**
 * Reads a source. `owner/repo` is a repository of GitHub, an address that ends in `.git` any other; `@` begins the ref
 * and everything after it, `#` the path of a folder in the repository. An address that ends in `/SKILL.md` is one file, a
 * text that begins with `/` a folder of this machine. Refuses everything else. Pure.
 */
export function parseSource(text: string): Source {
  if (isAbsolute(text)) return { kind: "folder", path: text };
  if (/^https?:\/\//i.test(text)) return addressed(text);
  const [, owner, name, path, ref] = shorthand.exec(text) ?? [];
  if (owner === undefined || name === undefined || /^\.+$/.test(name)) throw unfit("source", expected);
  return inRepository(new URL(`https://${gitHub}/${owner}/${name}.git`), path?.slice(1), ref);
}

function addressed(text: string): Source {
  const [, address, path, ref] = repository.exec(text) ?? [];
  if (!URL.canParse(address ?? text)) throw unfit("source", expected);
  const url = new URL(address ?? text);
  if (url.username !== "" || url.password !== "") {
    throw unfit("source", "holds credentials, which are never sent; what is imported must be public");
  }
  if (address !== undefined) return inRepository(url, path, ref);
  if (url.pathname.endsWith(`/${skillEntryFile}`) && url.search === "" && url.hash === "") return { kind: "url", url };
  throw unfit("source", `${expected}${url.hostname === gitHub ? "; of GitHub write owner/repo/path@ref" : ""}`);
}

function inRepository(url: URL, givenPath = "", ref?: string): RepositorySource {
  // Who names the file of a skill means its folder.
  const path = givenPath.replace(/\/+$/, "").replace(new RegExp(`(^|/)${skillEntryFile.replace(".", "\\.")}$`), "");
  if (path !== "" && (!isInnerPath(path) || /\p{Cc}/u.test(path))) {
    throw unfit("source", "names a path that is not one of a folder inside the repository");
  }
  if (ref !== undefined && !isRef(ref)) {
    throw unfit("source", "names after @ what can be no branch, tag or commit");
  }
  return { kind: "git", url, path, ref: ref ?? null, keyPrefix: keyPrefixOf(url) };
}

/** What git itself takes for a name, and nothing that its command line would take for more than a name. Pure. */
function isRef(ref: string): boolean {
  return (
    /^[^-+/.\s][^\s~^:?*[\\\p{Cc}]*$/u.test(ref) &&
    ref.length <= longestRef &&
    !/\.\.|@\{|\/\/|\/\.|[/.]$|\.lock$/.test(ref)
  );
}

/** `owner/repo` of GitHub, where case does not matter; host and path elsewhere. No two hosts share a beginning. Pure. */
function keyPrefixOf({ host, pathname }: URL): string {
  const path = pathname.slice(1).replace(/\.git$/i, "");
  if (host === gitHub && path.split("/").length === 2) return path.toLowerCase();
  return `${/[.:]/.test(host) ? host : `${host}:0`}/${path}`;
}
