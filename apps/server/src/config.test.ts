import { describe, expect, test } from "vitest";
import { readConfig, SettingError } from "./config.ts";

const needed = { SERVICE_HOME: "/home", DATABASE_URL: "postgres://here" };

describe("what imports may reach", () => {
  test("is the public web alone, and no folder, unless set", () => {
    expect(readConfig(needed)).toMatchObject({ egressAllow: "", skillRoots: [] });
  });

  test("is what the lists say", () => {
    const lists = {
      SERVICE_EGRESS_ALLOW: "git.inside, 10.0.0.0/8:3000",
      SERVICE_SKILL_ROOTS: "/srv/a, /srv/b:/srv/c,",
    };
    expect(readConfig({ ...needed, ...lists })).toMatchObject({
      egressAllow: lists.SERVICE_EGRESS_ALLOW,
      skillRoots: ["/srv/a", "/srv/b", "/srv/c"],
    });
  });

  test.each([
    ["SERVICE_EGRESS_ALLOW", "http://git.inside", "an entry is host"],
    ["SERVICE_EGRESS_ALLOW", "git.inside 10.0.0.1", "an entry is host"],
    ["SERVICE_EGRESS_ALLOW", "git.inside:99999", "a port is 1 to 65535"],
    ["SERVICE_SKILL_ROOTS", "skills", "must be absolute folders"],
  ])("%s of %s ends the start and says what is right", (name, value, right) => {
    const read = () => readConfig({ ...needed, [name]: value });
    expect(read).toThrow(SettingError);
    expect(read).toThrow(`The setting ${name} is wrong: ${right}`);
  });
});

describe("how often a caller may ask, and what a scraper shows", () => {
  test("is as the mode has it, and nothing, unless set", () => {
    const unset = { agent: undefined, person: undefined, address: undefined };
    expect(readConfig(needed)).toMatchObject({ rateLimits: unset, metricsToken: undefined });
  });

  test("is what is set; 0 is no limit", () => {
    const set = { SERVICE_RATE_LIMIT_AGENT: "0", SERVICE_RATE_LIMIT_PERSON: "60", SERVICE_RATE_LIMIT_ADDRESS: "10" };
    const read = readConfig({ ...needed, ...set, SERVICE_METRICS_TOKEN: "x".repeat(20) });
    expect(read).toMatchObject({ rateLimits: { agent: 0, person: 60, address: 10 }, metricsToken: "x".repeat(20) });
  });

  test.each([
    ["SERVICE_RATE_LIMIT_AGENT", "many", "must be a number"],
    ["SERVICE_RATE_LIMIT_PERSON", "-1", "must be at least 0, which is no limit"],
    ["SERVICE_RATE_LIMIT_ADDRESS", "0.5", "must be a whole number"],
    ["SERVICE_METRICS_TOKEN", "short", "must be at least 20 visible ASCII characters"],
    ["SERVICE_METRICS_TOKEN", `${"x".repeat(20)} y`, "must be at least 20 visible ASCII characters"],
  ])("%s of %s ends the start and says what is right", (name, value, right) => {
    expect(() => readConfig({ ...needed, [name]: value })).toThrow(`The setting ${name} is wrong: ${right}`);
  });
});
