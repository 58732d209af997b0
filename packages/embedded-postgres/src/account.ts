import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { DatabaseStartError } from "./database-start-error.ts";

/** The account a server runs as. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The entries of a passwd file, in its order. Lines that are not entries are left out. */
export function parsePasswd(text: string): Account[] {
  return text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    const isEntry = name && uid && gid && /^\d+$/.test(uid) && /^\d+$/.test(gid);
    return isEntry ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/**
 * The account that runs a server which root starts: the owner of the data where there are some already, so that an
 * account `postgres` which appears later does not lock them out; else `postgres`, else `nobody`.
 */
export function chooseAccount(entries: readonly Account[], dataOwner: number | null): Account {
  if (dataOwner !== null && dataOwner !== 0) {
    const owner = entries.find((entry) => entry.uid === dataOwner);
    if (owner) return owner;
    throw new DatabaseStartError(
      `The database belongs to the uid ${dataOwner}, which has no entry in /etc/passwd.`,
      `Add an account with the uid ${dataOwner}, or give the folder to one that exists (chown -R).`,
    );
  }
  const chosen = ["postgres", "nobody"].map((name) => entries.find((entry) => entry.name === name && entry.uid !== 0));
  const account = chosen.find((entry) => entry !== undefined);
  if (account) return account;
  throw new DatabaseStartError(
    "PostgreSQL refuses to run as root, and this machine has neither an account 'postgres' nor an account 'nobody'.",
    "Add one of them to /etc/passwd, start as an ordinary user, or set DATABASE_URL to a server of your own.",
  );
}

/** The account for a server that root starts; `dataOwner` is the uid that owns the data, null before there are any. */
export function accountForRoot(dataOwner: number | null): Account {
  return chooseAccount(parsePasswd(readFileSync("/etc/passwd", "utf8")), dataOwner);
}

/** The account of this process. PostgreSQL's initdb refuses a uid without a passwd entry, so this does too. */
export function accountOfThisProcess(): Account {
  try {
    const { username, uid, gid } = userInfo();
    return { name: username, uid, gid };
  } catch (error) {
    throw new DatabaseStartError(
      `The user of this process (uid ${process.getuid?.()}) has no entry in the passwd file, without which PostgreSQL does not start.`,
      "Start as a user that has one (in a container: --user node, or a line for this uid in /etc/passwd), or set DATABASE_URL.",
      error,
    );
  }
}
