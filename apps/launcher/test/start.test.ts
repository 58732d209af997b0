import { chmod, chown, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Child } from "./fixture/child.ts";
import { type SmallTree, smallTree } from "./fixture/small-tree.ts";

const isRoot = process.getuid?.() === 0;
/** An account that cannot write to what root owns. */
const nobody = 65_534;

let tree: SmallTree;

beforeEach(async () => {
  tree = await smallTree();
});

afterEach(async () => {
  await tree.remove();
});

async function startToTheEnd(child: Child = tree.start()): Promise<string> {
  const { code } = await child.ended;
  expect(code, child.said()).toBe(0);
  return child.said();
}

async function builtAt(): Promise<number> {
  return (await stat(join(tree.path, "dist"))).ctimeMs;
}

describe("npm start", () => {
  it("installs and builds the first time, and the second time only starts", async () => {
    const first = await startToTheEnd();
    expect(first).toContain("Installing packages");
    expect(first).toContain(`launched first on ${tree.home}`);
    const built = await builtAt();
    expect(await startToTheEnd()).toBe(`launched first on ${tree.home}\n`);
    expect(await tree.installs()).toBe(1);
    expect(await builtAt()).toBe(built);
  });

  it("many times at once installs and builds once", async () => {
    const all = Array.from({ length: 6 }, () => tree.start());
    for (const child of all) expect(await startToTheEnd(child)).toContain("launched first");
    expect(await tree.installs()).toBe(1);
  });

  it("installs again when the lock file has changed, and builds when the sources have", async () => {
    await startToTheEnd();
    await tree.write("package-lock.json", '{"changed":true}');
    await startToTheEnd();
    expect(await tree.installs()).toBe(2);
    const main = await readFile(join(tree.path, "apps/launcher/src/main.ts"), "utf8");
    await tree.write("apps/launcher/src/main.ts", main.replace("launched first", "launched second"));
    expect(await startToTheEnd()).toContain("launched second");
    expect(await tree.installs()).toBe(2);
  });

  it("does not build again for a test that has changed", async () => {
    await startToTheEnd();
    const built = await builtAt();
    await tree.write("apps/launcher/test/some.test.ts", "changed");
    await startToTheEnd();
    expect(await builtAt()).toBe(built);
  });

  it("means the caller's folder by a relative home", async () => {
    const env = { SERVICE_HOME: "here", INIT_CWD: tree.path, npm_lifecycle_event: "start" };
    expect(await startToTheEnd(tree.start({ env }))).toContain(`on ${join(tree.path, "here")}\n`);
  });

  it("is refused by a Node that is too old, before anything else", async () => {
    const older = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.18.3'}})";
    const args = ["--import", `data:text/javascript,${older}`, join(tree.path, "scripts/start.mjs")];
    const child = tree.start({ args });
    expect((await child.ended).code).toBe(1);
    expect(child.said()).toBe("Roster needs Node 20.19 or newer and this is 20.18.3: see https://nodejs.org.\n");
    expect(await tree.installs()).toBe(0);
  });

  it("changes nothing under the feet of a Roster that runs on the home, and says when the change will count", async () => {
    const running = tree.start({ env: { HOLD: "yes" } });
    await running.saying("launched first");
    const built = await builtAt();
    await tree.write("package-lock.json", '{"changed":true}');
    await tree.write("apps/launcher/src/more.ts", "export {};");
    expect(await startToTheEnd()).toContain("the change counts when it is stopped and started again");
    expect(await tree.installs()).toBe(1);
    expect(await builtAt()).toBe(built);
    running.signal("SIGKILL");
    await running.ended;
    await startToTheEnd();
    expect(await tree.installs()).toBe(2);
  });
});

describe("an install", () => {
  it("that fails ends the start in one sentence and is tried again by the next", async () => {
    await tree.write("npm-fails", "");
    const child = tree.start();
    expect((await child.ended).code).toBe(1);
    expect(child.said()).toContain("The packages could not be installed (npm ended with code 3)");
    await rm(join(tree.path, "npm-fails"));
    expect(await startToTheEnd()).toContain("launched first");
  });

  it("without npm is refused with the remedy", async () => {
    const child = tree.start({ env: { npm_execpath: "", PATH: "/nonexistent" } });
    expect((await child.ended).code).toBe(1);
    expect(child.said()).toContain("npm was not found");
  });

  it("whose start was killed is not disturbed: the next waits for it", async () => {
    await tree.write("npm-waits", "");
    const killed = tree.start();
    await killed.saying("npm works");
    killed.signal("SIGKILL");
    await killed.ended;
    const next = tree.start();
    await next.saying("this one goes on after it");
    expect(await tree.installs()).toBe(1);
    await rm(join(tree.path, "npm-waits"));
    expect(await startToTheEnd(next)).toContain("launched first");
    expect(await tree.installs()).toBe(2);
  });

  it("is ended by a signal to the start, and the next begins anew", async () => {
    await tree.write("npm-waits", "");
    const stopped = tree.start();
    await stopped.saying("npm works");
    stopped.signal("SIGTERM");
    expect((await stopped.ended).code).toBe(1);
    await rm(join(tree.path, "npm-waits"));
    expect(await startToTheEnd()).toContain("launched first");
  });
});

describe("a build", () => {
  it("that fails ends the start with the place of the mistake and leaves the last good one", async () => {
    await startToTheEnd();
    const built = await builtAt();
    await tree.write("apps/launcher/src/main.ts", "const = 1;");
    const child = tree.start();
    expect((await child.ended).code).toBe(1);
    expect(child.said()).toContain("apps/launcher/src/main.ts:1");
    expect(child.said()).toContain("Roster could not be built from");
    expect(await builtAt()).toBe(built);
  });
});

describe("sources that cannot be written to", () => {
  let elsewhere: string;

  beforeEach(async () => {
    elsewhere = await mkdtemp(join(tmpdir(), "roster-elsewhere-"));
    if (isRoot) await chown(elsewhere, nobody, nobody);
  });

  afterEach(async () => {
    await chmod(tree.path, 0o755);
    await rm(elsewhere, { recursive: true });
  });

  /** Root can write everywhere, so another account starts from what root owns. */
  function startUnwritable(): Child {
    const env = { SERVICE_HOME: join(elsewhere, "home") };
    return isRoot ? tree.start({ uid: nobody, env }) : tree.start({ env });
  }

  it("just start when they are built, also without the note of the packages and with a source that changed", async () => {
    await startToTheEnd();
    await rm(join(tree.path, "node_modules/.roster-installed"));
    await tree.write("apps/launcher/src/more.ts", "export {};");
    await chmod(tree.path, 0o555);
    expect(await startToTheEnd(startUnwritable())).toBe(`launched first on ${join(elsewhere, "home")}\n`);
    expect(await tree.installs()).toBe(1);
  });

  it("and sources that are not there at all just start, also as root, as in an image with only what is needed", async () => {
    await startToTheEnd();
    for (const name of ["apps", "packages", "demo", "package-lock.json"])
      await rm(join(tree.path, name), { recursive: true });
    expect(await startToTheEnd()).toBe(`launched first on ${tree.home}\n`);
    expect(await tree.installs()).toBe(1);
  });

  it("are refused with the remedy when they are not built", async () => {
    await chmod(tree.path, 0o555);
    const child = startUnwritable();
    expect((await child.ended).code).toBe(1);
    expect(child.said()).toMatch(
      /^Roster is not built, and .* cannot be written to: run "npm start" once as the owner/,
    );
  });
});
