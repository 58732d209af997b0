import { beforeEach, describe, expect, test } from "vitest";
import { AllowListError, parseAllowList } from "./allow-list.ts";
import { findWay, reasonAgainst } from "./way.ts";

const reason = (url: string, addresses: string[], allow = "") =>
  reasonAgainst(new URL(url), addresses, parseAllowList(allow));

const notPublic = "leads to an address that is not public";
const notHttps = "is not https";
const port = "names a port other than 80 and 443";

describe("without an entry, only https to public addresses is open", () => {
  test.each([
    ["https://a.example/", ["8.8.8.8"], null],
    ["https://a.example/", ["8.8.8.8", "2606:4700::1"], null],
    ["https://a.example:80/", ["8.8.8.8"], null],
    ["http://a.example/", ["8.8.8.8"], notHttps],
    ["https://a.example:22/", ["8.8.8.8"], port],
    ["https://a.example:8443/", ["8.8.8.8"], port],
    ["ftp://a.example/", ["8.8.8.8"], "is neither https nor http"],
    ["file:///etc/passwd", ["8.8.8.8"], "is neither https nor http"],
    ["https://a.example/", ["8.8.8.8", "127.0.0.1"], notPublic],
    ["https://a.example/", ["2606:4700::1", "::1"], notPublic],
    ["https://a.example/", ["169.254.169.254"], notPublic],
    ["https://a.example/", ["::ffff:10.0.0.1"], notPublic],
    ["https://a.example/", ["fe80::1%eth0"], notPublic],
  ])("%s at %s: %s", (url, addresses, expected) => {
    expect(reason(url, addresses)).toBe(expected);
  });
});

describe("an entry opens exactly what it says", () => {
  test.each([
    ["git.inside", "http://git.inside/", ["10.0.0.5"], null],
    ["git.inside", "https://git.inside/", ["10.0.0.5"], null],
    ["GIT.inside", "https://git.inside./", ["10.0.0.5"], null],
    ["git.inside", "http://git.inside:3000/", ["10.0.0.5"], notPublic],
    ["git.inside:3000", "http://git.inside:3000/", ["10.0.0.5"], null],
    ["git.inside:3000", "http://git.inside/", ["10.0.0.5"], notPublic],
    ["git.inside", "http://other.inside/", ["10.0.0.5"], notPublic],
    ["git.inside", "http://a.git.inside/", ["10.0.0.5"], notPublic],
    ["git.inside", "http://git.inside/", ["169.254.169.254"], notPublic],
    ["git.inside", "http://git.inside/", ["10.0.0.5", "169.254.169.254"], notPublic],
    ["a.example:8080", "http://a.example:8080/", ["8.8.8.8"], null],
    ["127.0.0.1:3000", "http://127.0.0.1:3000/", ["127.0.0.1"], null],
    ["127.0.0.1:3000", "http://any.example:3000/", ["127.0.0.1"], null],
    ["127.0.0.1:3000", "http://any.example:3000/", ["127.0.0.1", "127.0.0.2"], notPublic],
    ["127.0.0.1:3000", "http://[::ffff:127.0.0.1]:3000/", ["127.0.0.1"], null],
    ["10.0.0.0/8", "http://x.example/", ["10.9.9.9"], null],
    ["10.0.0.0/8", "http://x.example/", ["11.0.0.1"], notHttps],
    ["10.0.0.0/8", "http://x.example:8080/", ["10.9.9.9"], notPublic],
    ["10.0.0.0/8:8080", "http://x.example:8080/", ["10.9.9.9"], null],
    ["169.254.169.254", "http://169.254.169.254/", ["169.254.169.254"], null],
    ["::1", "http://[::1]/", ["::1"], null],
    ["[::1]:3000", "http://[::1]:3000/", ["::1"], null],
    ["fd00::/8", "https://x.example/", ["fd12::1"], null],
    ["[fd00::/8]:3000", "http://x.example:3000/", ["fd12::1"], null],
    ["::ffff:10.0.0.0/104", "http://x.example/", ["10.1.1.1"], null],
    [" git.inside , 10.0.0.0/8 ,", "http://x.example/", ["10.1.1.1"], null],
  ])("%s, %s at %s: %s", (allow, url, addresses, expected) => {
    expect(reason(url, addresses, allow)).toBe(expected);
  });

  test.each(["http://a", "a/8", "10.0.0.0/33", "fd00::/129", "a:0", "a:65536", "a:b", "[a]", "127.1", "*", "a..b"])(
    "%s is no entry",
    (allow) => {
      expect(() => parseAllowList(allow)).toThrow(AllowListError);
    },
  );
});

describe("a host is resolved once, however it is written", () => {
  const asked: string[] = [];
  beforeEach(() => {
    asked.length = 0;
  });
  const guard = {
    allowed: [],
    resolve: async (host: string) => {
      asked.push(host);
      return host === "empty.example" ? [] : ["8.8.8.8"];
    },
  };
  const way = (url: string) => findWay(guard, new URL(url), new AbortController().signal);

  test.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[0:0::0:1]/",
    "https://0/",
    "https://１２７.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
  ])("%s is an address, and refused", async (url) => {
    await expect(way(url)).rejects.toMatchObject({ kind: "refused", message: notPublic });
    expect(asked).toEqual([]);
  });

  test("names are looked up without the dot of the root", async () => {
    expect((await way("https://A.Example./x")).addresses).toEqual(["8.8.8.8"]);
    expect(asked).toEqual(["a.example"]);
  });

  test("credentials in an address are refused before anything is asked", async () => {
    await expect(way("https://me:secret@a.example/")).rejects.toMatchObject({ kind: "refused" });
    await expect(way("https://me@a.example/")).rejects.toMatchObject({ kind: "refused" });
    expect(asked).toEqual([]);
  });

  test("a name without addresses leads nowhere", async () => {
    await expect(way("https://empty.example/")).rejects.toMatchObject({ kind: "away" });
  });
});
