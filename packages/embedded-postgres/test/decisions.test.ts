import { describe, expect, it } from "vitest";
import { type Account, chooseAccount, parsePasswd } from "../src/account.ts";
import { type ClusterTraces, stateOf } from "../src/cluster-state.ts";
import { type DataFolder, holderOf, orphansOf, serverOf } from "../src/data-holders.ts";
import { DatabaseStartError } from "../src/index.ts";
import { type Machine, refuseOtherMachines } from "../src/installed-binaries.ts";
import { placeOf } from "../src/place.ts";
import { type ProcessEntry, parsePsLine } from "../src/process-table.ts";
import { complaintIn, linesOf } from "../src/server-log.ts";
import { remedyFor } from "../src/start-remedy.ts";
import { compareVersions } from "../src/version-order.ts";

function remedyOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof DatabaseStartError) return error.remedy;
    throw error;
  }
  return "none needed";
}

describe("a machine", () => {
  const cases: readonly (readonly [string, Machine, string])[] = [
    ["Linux with glibc is accepted", { platform: "linux", arch: "x64", glibc: "2.36" }, "none needed"],
    ["macOS is accepted", { platform: "darwin", arch: "arm64", glibc: null }, "none needed"],
    [
      "Linux with musl is told of another image",
      { platform: "linux", arch: "x64", glibc: null },
      "an image with glibc",
    ],
    ["Windows is told of WSL", { platform: "win32", arch: "x64", glibc: null }, "WSL"],
    [
      "another processor is told of a server of its own",
      { platform: "linux", arch: "s390x", glibc: "2.36" },
      "DATABASE_URL",
    ],
  ];
  it.each(cases)("%s", (_name, machine, remedy) => {
    expect(remedyOf(() => refuseOtherMachines(machine))).toContain(remedy);
  });
});

describe("the account of a server that root starts", () => {
  const passwd =
    "root:x:0:0::/root:/bin/sh\n# none\nnobody:x:65534:65533::/:/bin/false\npostgres:x:101:104::/:/bin/sh\n";
  const entries = parsePasswd(passwd);
  const nobody: Account = { name: "nobody", uid: 65_534, gid: 65_533 };

  it("is postgres where there is one, else nobody", () => {
    expect(chooseAccount(entries, null).name).toBe("postgres");
    expect(chooseAccount([nobody], null)).toEqual(nobody);
  });
  it("stays the owner of the data when an account postgres appears later", () => {
    expect(chooseAccount(entries, 65_534)).toEqual(nobody);
  });
  it("is never root", () => {
    expect(chooseAccount(entries, 0).name).toBe("postgres");
    expect(remedyOf(() => chooseAccount([{ name: "postgres", uid: 0, gid: 0 }], null))).toContain("/etc/passwd");
  });
  it("is asked for when the data's owner has none", () => {
    expect(remedyOf(() => chooseAccount(entries, 4711))).toContain("uid 4711");
  });
});

describe("a data folder", () => {
  const cases: readonly (readonly [string, ClusterTraces, string])[] = [
    ["that is not there is none", { exists: false, major: null, hasControl: false }, "none"],
    ["without a version is half-made", { exists: true, major: null, hasControl: true }, "half-made"],
    ["without a control file is half-made", { exists: true, major: "18", hasControl: false }, "half-made"],
    ["with both is whole", { exists: true, major: "18", hasControl: true }, "whole"],
  ];
  it.each(cases)("%s", (_name, traces, state) => expect(stateOf(traces)).toBe(state));
});

describe("the process behind a lock file", () => {
  const folder: DataFolder = { data: "/d/data", clusterName: "roster-abc", uid: 101 };
  const server: ProcessEntry = {
    pid: 10,
    parentPid: 1,
    uid: 101,
    startedAt: "5",
    command: "/a b/bin/postgres -D /d/data -c fsync=on",
    cwd: "/d/data",
  };
  const cases: readonly (readonly [string, ProcessEntry | null, string])[] = [
    ["that is gone is nobody", null, "nobody"],
    ["with this data folder in its command is the server", { ...server, cwd: null }, "postmaster"],
    ["started by hand in this data folder is the server", { ...server, command: "postgres -D data" }, "postmaster"],
    ["on another data folder is a stranger", { ...server, command: "postgres -D x", cwd: "/x" }, "stranger"],
    [
      "on a folder that begins the same is a stranger",
      { ...server, command: "postgres -D /d/data2 -c a=b", cwd: "/d/data2" },
      "stranger",
    ],
    ["of another account is a stranger", { ...server, uid: 0 }, "stranger"],
    ["that is no server is a stranger even inside of the folder", { ...server, command: "bash" }, "stranger"],
    ["that is a server's child is a stranger", { ...server, command: "postgres: roster-abc: walwriter" }, "stranger"],
    [
      "that is a server of which no more can be seen is unclear",
      { ...server, command: "postgres -D data", cwd: null },
      "unclear",
    ],
  ];
  it.each(cases)("%s", (_name, entry, holder) => expect(holderOf(entry, folder)).toBe(holder));

  it("is found without a lock file, and told from a child that it has just forked", () => {
    const forked = { ...server, pid: 11, parentPid: 10 };
    expect(serverOf([forked, server], folder)?.pid).toBe(10);
    expect(serverOf([{ ...server, command: "bash" }], folder)).toBeNull();
  });

  it("leaves orphans only when it is dead", () => {
    const child = { ...server, pid: 11, parentPid: 10, command: "postgres: roster-abc: roster roster [local] idle" };
    const foreign = { ...child, pid: 12, uid: 5 };
    const other = { ...child, pid: 13, command: "postgres: roster-xyz: walwriter" };
    expect(orphansOf([server, child, foreign, other], folder)).toEqual([]);
    expect(orphansOf([{ ...child, parentPid: 1 }, foreign, other], folder).map(({ pid }) => pid)).toEqual([11]);
  });
});

describe("versions", () => {
  it("are ordered by their numbers, a pre-release before its release", () => {
    const ordered = ["17.9.0", "18.4.0-beta.9", "18.4.0-beta.17", "18.4.0", "18.4.1-beta.1", "18.10.0"];
    expect([...ordered].reverse().sort(compareVersions)).toEqual(ordered);
    expect(compareVersions("18.4.0", "18.4.0")).toBe(0);
  });
});

describe("places", () => {
  it("are short enough for a socket whatever the home's path and uid", () => {
    const { sockets } = placeOf(`/${"long/".repeat(100)}`, 4_294_967_294);
    expect(`${sockets}/,/.s.PGSQL.5432`.length).toBeLessThan(104);
  });
});

describe("the words of a failed start", () => {
  const log = [
    "2026-01-01 00:00:00.000 UTC [7] FATAL:  could not map anonymous shared memory: Cannot allocate memory",
    "2026-01-01 00:00:00.000 UTC [8] LOG:  of somebody else",
    "2026-01-01 00:00:00.000 UTC [7] HINT:  Take less.",
  ].join("\n");

  it("are those of its own process, without times", () => {
    expect(complaintIn(linesOf(log, 7))).toBe(
      "FATAL: could not map anonymous shared memory: Cannot allocate memory HINT: Take less.",
    );
  });
  it("are what the loader says when the program did not even load", () => {
    const words = "postgres: error while loading shared libraries: libstdc++.so.6: cannot open shared object file";
    expect(complaintIn(linesOf(words, 7))).toBe(words);
    expect(remedyFor(words)).toContain("libstdc++6");
  });
  it.each([
    ["could not write file: No space left on device", "disk space"],
    ["EROFS: read-only file system, mkdir '/var/lib/roster'", "writable"],
    ["spawn /x/bin/postgres EACCES", "noexec"],
    ["something nobody has heard of", "DATABASE_URL"],
  ])("%s → %s", (complaint, remedy) => expect(remedyFor(complaint)).toContain(remedy));
});

describe("a line of ps", () => {
  it("is read with its start time and its command with spaces", () => {
    expect(parsePsLine("  12   1   501 Ss   Thu Jan  1 10:00:00 2026     /a b/bin/postgres -D /x -c a=b")).toEqual([
      {
        pid: 12,
        parentPid: 1,
        uid: 501,
        startedAt: "Thu Jan  1 10:00:00 2026",
        command: "/a b/bin/postgres -D /x -c a=b",
        cwd: null,
      },
    ]);
  });
  it("of a zombie is left out", () => {
    expect(parsePsLine("12 1 501 Z Thu Jan  1 10:00:00 2026 (postgres)")).toEqual([]);
  });
});
