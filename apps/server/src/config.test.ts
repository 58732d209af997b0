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
