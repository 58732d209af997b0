import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprint, readSettings } from "../src/settings.ts";
import { shownDatabase } from "../src/words.ts";

describe("settings", () => {
  it("have the defaults of the documentation, also where a variable is empty", () => {
    const settings = readSettings({ PORT: "", DATABASE_URL: "" });
    expect(settings).toMatchObject({ home: join(homedir(), ".roster"), mode: "local_trusted", databaseUrl: null });
    expect(settings.address).toBe("http://localhost:3100");
    expect(settings.environment).toEqual({
      PORT: "3100",
      SERVICE_HOME: join(homedir(), ".roster"),
      SERVICE_HOST: "127.0.0.1",
      SERVICE_MODE: "local_trusted",
    });
  });

  it.each([
    { env: { PORT: "8080" }, address: "http://localhost:8080" },
    { env: { SERVICE_HOST: "0.0.0.0" }, address: "http://localhost:3100" },
    { env: { SERVICE_HOST: "192.0.2.7" }, address: "http://192.0.2.7:3100" },
    { env: { SERVICE_HOST: "2001:db8::7" }, address: "http://[2001:db8::7]:3100" },
    { env: { SERVICE_PUBLIC_URL: "https://roster.example" }, address: "https://roster.example" },
  ])("$env are reached at $address", ({ env, address }) => {
    expect(readSettings(env).address).toBe(address);
  });
});

describe("the fingerprint of settings", () => {
  const env = { PORT: "1", SERVICE_MODE: "a", DATABASE_URL: "b", TERM: "c" };

  it("is the same for the same settings in another order and in another terminal", () => {
    const same = { TERM: "d", DATABASE_URL: "b", SERVICE_MODE: "a", PORT: "1" };
    expect(fingerprint(same, "v20")).toBe(fingerprint(env, "v20"));
  });

  it.each([{ PORT: "2" }, { SERVICE_MODE: "x" }, { DATABASE_URL: "x" }, { SERVICE_NEW: "x" }, { NODE_OPTIONS: "x" }])(
    "is another with %o",
    (change) => {
      expect(fingerprint({ ...env, ...change }, "v20")).not.toBe(fingerprint(env, "v20"));
    },
  );

  it("is another with another Node", () => {
    expect(fingerprint(env, "v24")).not.toBe(fingerprint(env, "v20"));
  });
});

it.each([
  { url: "postgres://me:secret@db.example:5433/roster?sslmode=require", shown: "postgres://db.example:5433/roster" },
  { url: "postgres:///roster?host=/run/postgresql", shown: "postgres:///roster" },
  { url: "host=db password=secret", shown: "as DATABASE_URL says" },
])("a database address is shown without its secrets: $shown", ({ url, shown }) => {
  expect(shownDatabase(url)).toBe(shown);
});
