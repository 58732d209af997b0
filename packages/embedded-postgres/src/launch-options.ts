import type { Account } from "./account.ts";

interface LaunchOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * How PostgreSQL's programs are launched. Nothing of this process's environment reaches them: locale, TMPDIR, PG* and
 * LD_LIBRARY_PATH have each kept a server from starting somewhere. With `uid`, Node also drops root's further groups.
 */
export function launchOptions(account: Account, cwd: string): LaunchOptions {
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  return account.uid === process.getuid?.() ? { cwd, env } : { cwd, env, uid: account.uid, gid: account.gid };
}
