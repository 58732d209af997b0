import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEgress } from "@roster/egress";
import { selfSigned } from "@roster/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  type Content,
  type GitGround,
  hasGit,
  type ServedRepository,
  startGitGround,
} from "../../../test/git-ground.ts";
import { type SkillGround, skillText, startSkillGround } from "../../../test/skill-ground.ts";
import { fetchRepository } from "./fetch-repository.ts";
import { parseSource, type RepositorySource } from "./parse-source.ts";

// A folder for temporary ones that nobody else uses, so that what is left in it was left by these tests.
let own: string;
beforeAll(async () => {
  own = await mkdtemp(join(tmpdir(), "roster-imports-"));
});
afterAll(() => rm(own, { recursive: true }));
const leftBehind = () => readdir(own);

async function inOwnFolder<T>(work: () => Promise<T>): Promise<T> {
  process.env["TMPDIR"] = own;
  return await work().finally(() => delete process.env["TMPDIR"]);
}

/** Processes that work in the folder; Linux tells, other systems tell of none. */
async function workingIn(folder: string): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  return places.filter((place) => place.startsWith(folder));
}

const skill = { "SKILL.md": skillText("Review") };

describe.runIf(hasGit)("a repository", () => {
  let git: GitGround;
  let ground: SkillGround;
  let companyId: string;
  let repository: ServedRepository;
  let named = 0;
  beforeAll(async () => {
    git = await startGitGround();
    ground = await startSkillGround({ egress: createEgress({ allow: `127.0.0.1:${git.port}` }) });
  });
  afterAll(async () => {
    await ground.server.close();
    await git.close();
  });
  beforeEach(async () => {
    companyId = await ground.company();
    named += 1;
    repository = await git.repository(`acme/skills-${named}`);
    git.asked.length = 0;
    git.instead = () => false;
  });
  afterEach(async () => expect(await leftBehind()).toEqual([]));

  const importFrom = (source: string, client = ground.board) =>
    inOwnFolder(() => client.skills.import({ params: { companyId }, body: { source } }));
  const keysOf = async (source: string) => (await importFrom(source)).imported.map(({ key }) => key);
  const prefix = () => `127.0.0.1:${git.port}/acme/skills-${named}`;
  const contentOf = async (skillId: string, path: string) =>
    (await ground.board.skills.getFile({ params: { skillId }, query: { path } })).content;

  describe("is imported", () => {
    test("with every skill in it, under keys of its own, with the commit that was taken", async () => {
      const image = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
      const commit = await repository.commit({
        "README.md": "# Skills",
        "review/SKILL.md": skillText("Code review"),
        "review/assets/a.png": image,
        "deep/er/SKILL.md": skillText("Deeper"),
      });
      const { imported, warnings } = await importFrom(repository.url);
      expect(warnings).toEqual(["Left out, because they belong to no skill: README.md."]);
      expect(imported.map(({ key, source }) => ({ key, source }))).toEqual([
        {
          key: `${prefix()}/deeper`,
          source: { type: "git", locator: `${repository.url}#deep/er`, ref: commit },
        },
        {
          key: `${prefix()}/code-review`,
          source: { type: "git", locator: `${repository.url}#review`, ref: commit },
        },
      ]);
      const file = { params: { skillId: imported[1]?.id ?? "" }, query: { path: "assets/a.png" } };
      expect((await ground.board.skills.getFile(file)).content).toBe(image.toString("base64"));
      expect(await ground.logOf(companyId)).toMatchObject([
        { action: "skill.imported", details: { key: `${prefix()}/deeper` } },
        { action: "skill.imported", details: { key: `${prefix()}/code-review` } },
      ]);
      const again = await importFrom(`${imported[1]?.source.locator}@${imported[1]?.source.ref}`);
      expect(again.imported).toEqual([imported[1]]);
    });

    test("by branch, tag, annotated tag and commit, and what it shows first where none is named", async () => {
      const first = await repository.commit({ "SKILL.md": skillText("First") });
      repository.git("tag", "v1");
      repository.git("tag", "--annotate", "--message=x", "pkg@1.0.0");
      repository.git("branch", "feature/old");
      const second = await repository.commit({ "SKILL.md": skillText("Second") });
      for (const ref of ["v1", "pkg@1.0.0", "feature/old", "refs/tags/v1", first]) {
        const { imported } = await importFrom(`${repository.url}@${ref}`);
        expect(imported, ref).toMatchObject([{ name: "First", source: { ref: first } }]);
      }
      for (const source of [repository.url, `${repository.url}@main`]) {
        expect((await importFrom(source)).imported).toMatchObject([{ name: "Second", source: { ref: second } }]);
      }
    });

    test("only below the folder that is named", async () => {
      await repository.commit({ "a/one/SKILL.md": skillText("One"), "a/two/SKILL.md": skillText("Two"), ...skill });
      expect(await keysOf(`${repository.url}#a`)).toEqual([`${prefix()}/one`, `${prefix()}/two`]);
      expect(await keysOf(`${repository.url}#a/two@main`)).toEqual([`${prefix()}/two`]);
      expect(await keysOf(`${repository.url}#a/two/SKILL.md`)).toEqual([`${prefix()}/two`]);
    });

    test("again: the same content is the same skill, other content a new version of it", async () => {
      await repository.commit({ ...skill, "a.txt": "1" });
      const first = await importFrom(repository.url);
      await repository.commit({ ...skill, "a.txt": "1" });
      expect(await importFrom(repository.url)).toEqual(first);
      expect(await ground.logOf(companyId)).toHaveLength(1);
      const commit = await repository.commit({ ...skill, "a.txt": "2" });
      const { imported } = await importFrom(repository.url);
      expect(imported).toMatchObject([{ id: first.imported[0]?.id, source: { ref: commit } }]);
      expect(await ground.countsOf(companyId)).toEqual({ skills: 1, versions: 2, files: 4 });
    });

    test("by an agent with canManageSkills, and the log names it", async () => {
      await repository.commit(skill);
      await importFrom(repository.url, await ground.agentOf(companyId, { canManageSkills: true }));
      expect(await ground.logOf(companyId)).toMatchObject([{ actor: { kind: "agent", name: "Ada" } }]);
    });

    test("with links read as the files of it that they lead to", async () => {
      await repository.commit({
        ...skill,
        "shared/b.txt": "b",
        "a.txt": { link: "shared/b.txt" },
        "deep/c.txt": { link: "../a.txt" },
      });
      const { imported } = await importFrom(repository.url);
      const id = imported[0]?.id ?? "";
      expect([await contentOf(id, "a.txt"), await contentOf(id, "deep/c.txt")]).toEqual(["b", "b"]);
    });

    test("under the same Idempotency-Key once, and repeated when the repository is gone", async () => {
      await repository.commit(skill);
      const call = { params: { companyId }, body: { source: repository.url }, idempotencyKey: "once" };
      const both = await Promise.all([ground.board.skills.import(call), ground.board.skills.import(call)]);
      expect(both[0]).toEqual(both[1]);
      git.instead = (_request, response) => Boolean(response.writeHead(500).end());
      expect(await ground.board.skills.import(call)).toEqual(both[0]);
      expect(await ground.logOf(companyId)).toHaveLength(1);
      const other = { ...call, body: { source: `${repository.url}@main` } };
      await expect(ground.board.skills.import(other)).rejects.toMatchObject({ code: "idempotency_key_reused" });
      const fresh = { ...call, idempotencyKey: "another" };
      await expect(ground.board.skills.import(fresh)).rejects.toMatchObject({ code: "source_unavailable" });
    });

    test("from a server that leaves nothing out, too", async () => {
      await repository.commit({ ...skill, "elsewhere/large.bin": Buffer.alloc(6 * 2 ** 20, "x") });
      repository.git("config", "uploadpack.allowFilter", "false");
      await expect(importFrom(repository.url)).rejects.toMatchObject({ code: "source_unusable" });
      await repository.commit({ "a/SKILL.md": skillText("A"), "large.bin": Buffer.alloc(6 * 2 ** 20, "x") });
      expect(await keysOf(repository.url)).toEqual([`${prefix()}/a`]);
    });

    test("after redirects of its server", async () => {
      await repository.commit(skill);
      git.instead = ({ url }, response) => {
        if (!url?.startsWith("/moved.git/")) return false;
        response.writeHead(301, { location: `/acme/skills-${named}.git/${url.slice("/moved.git/".length)}` }).end();
        return true;
      };
      const { imported } = await importFrom(`${git.url}/moved.git`);
      expect(imported).toMatchObject([{ key: `127.0.0.1:${git.port}/moved/review` }]);
      expect(git.asked.filter((asked) => asked.startsWith("POST /moved"))).toEqual([]);
    });
  });

  describe("brings its good skills only, and says why", () => {
    const bad: [string, Record<string, Content>, string][] = [
      ["a SKILL.md without front matter", { "SKILL.md": "# Bad" }, "must begin with front matter"],
      ["a link out of the repository", { ...skill, a: { link: "../../../etc/passwd" } }, "leads out of the folder"],
      ["an absolute link", { ...skill, a: { link: "/etc/passwd" } }, "leads out of the folder"],
      ["a SKILL.md that is a link out", { "SKILL.md": { link: "/etc/hostname" } }, "leads out of the folder"],
      ["a link that leads nowhere", { ...skill, a: { link: "b" } }, "does not lead to a file"],
      ["a link to a folder", { ...skill, "b/c": "x", a: { link: "b" } }, "does not lead to a file"],
      ["links in a circle", { ...skill, a: { link: "b" }, b: { link: "a" } }, "leads nowhere"],
      ["a huge file", { ...skill, a: Buffer.alloc(6 * 2 ** 20, "x") }, "more bytes than a skill may have"],
      ["two large files", { ...skill, a: Buffer.alloc(3e6, "x"), b: Buffer.alloc(3e6, "y") }, "a skill has at most"],
      [
        "300 files",
        { ...skill, ...Object.fromEntries(Array.from({ length: 299 }, (_, n) => [`${n}.txt`, ""])) },
        "300 files",
      ],
      ["two files that are one", { ...skill, a: "x", A: "y" }, "one file on some machines"],
      ["a secret", { ...skill, a: `ghp_${"a1B2c3D4e5F6".repeat(3)}` }, "holds a secret"],
      ["a file of no machine's name", { ...skill, "a\\b": "x" }, "must be relative"],
    ];
    const below = (folder: string, files: Record<string, Content>) =>
      Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));

    test.each(bad)("beside %s", async (_what, files, why) => {
      await repository.commit({ ...below("bad", files), "good/SKILL.md": skillText("Good") });
      const { imported, warnings } = await importFrom(repository.url);
      expect(imported).toMatchObject([{ key: `${prefix()}/good` }]);
      expect(warnings).toEqual([expect.stringContaining(why)]);
      expect(warnings[0]).toMatch(/^A skill was left out: "source\.bad/);
    });

    test.each(bad)("or none, with %s alone", async (_what, files, why) => {
      await repository.commit(files);
      const code = why === "holds a secret" ? "secret_in_text" : "source_unusable";
      const message = expect.stringContaining(why);
      await expect(importFrom(repository.url)).rejects.toMatchObject({ status: 422, code, message });
      expect(await ground.countsOf(companyId)).toEqual({ skills: 0, versions: 0, files: 0 });
    });

    test("beside another repository inside it", async () => {
      const commit = await repository.commit(skill);
      repository.git("update-index", "--add", "--cacheinfo", `160000,${commit},sub`);
      repository.git("commit", "--quiet", "--message=x");
      expect((await importFrom(repository.url)).warnings).toEqual(["sub, another repository, was left out."]);
    });
  });

  describe("is refused, and nothing is written", () => {
    afterEach(async () => {
      expect(await ground.countsOf(companyId)).toEqual({ skills: 0, versions: 0, files: 0 });
      expect(await ground.logOf(companyId)).toEqual([]);
    });
    const refusedWith = async (source: string, code: string, why: string) => {
      const message = expect.stringContaining(why);
      await expect(importFrom(source)).rejects.toMatchObject({ status: 422, code, message });
    };

    test("for a ref, a path or a repository that is not there", async () => {
      await refusedWith(repository.url, "unknown_reference", "no branch, tag or commit");
      const commit = await repository.commit(skill);
      await refusedWith(`${repository.url}@nope`, "unknown_reference", "no branch, tag or commit");
      await refusedWith(`${repository.url}@${"0".repeat(39)}1`, "unknown_reference", "no branch, tag or commit");
      await refusedWith(`${repository.url}@${commit.slice(0, 10)}`, "unknown_reference", "no branch, tag or commit");
      await refusedWith(`${repository.url}#nope`, "unknown_reference", "no folder of this path");
      await refusedWith(`${git.url}/acme/nope.git`, "unknown_reference", "is not there, or is not public");
    });

    test("for one without a skill", async () => {
      await repository.commit({ "README.md": "x", "skill.md": "x" });
      await refusedWith(repository.url, "source_unusable", "holds no SKILL.md");
    });

    test("for an address that is not open, before anything is asked", async () => {
      const port = git.port === 65_535 ? 1 : git.port + 1;
      await refusedWith(`http://127.0.0.1:${port}/x.git`, "source_refused", "not public");
      await refusedWith(`http://127.0.0.2:${git.port}/x.git`, "source_refused", "not public");
      await refusedWith("https://169.254.169.254/x.git", "source_refused", "not public");
      expect(git.asked).toEqual([]);
    });

    test("for a redirect to an address that is not open", async () => {
      git.instead = (_request, response) => {
        response.writeHead(302, { location: `http://127.0.0.2:${git.port}/x.git/info/refs` }).end();
        return true;
      };
      await refusedWith(repository.url, "source_refused", "not public");
    });

    test("for a server that has no repository there, wants a password, or fails", async () => {
      const answers: [number, string, string, string][] = [
        [200, "text/html", "unknown_reference", "not a repository"],
        [401, "text/plain", "unknown_reference", "not public"],
        [503, "text/plain", "source_unavailable", "answered 503"],
      ];
      for (const [status, type, code, why] of answers) {
        git.instead = (_request, response) => Boolean(response.writeHead(status, { "content-type": type }).end("x"));
        await refusedWith(repository.url, code, why);
      }
    });

    test("for one that redirects once git itself asks, wherever to", async () => {
      await repository.commit(skill);
      let answered = 0;
      git.instead = (_request, response) => {
        answered += 1;
        if (answered === 1) return false;
        response.writeHead(302, { location: `${git.url}/acme/other.git/info/refs?service=git-upload-pack` }).end();
        return true;
      };
      await refusedWith(repository.url, "source_unavailable", "could not be fetched");
      expect(git.asked.filter((asked) => asked.includes("other.git"))).toEqual([]);
    });

    test("for one that sends without end", async () => {
      await repository.commit(skill);
      let posts = 0;
      git.instead = ({ method }, response) => {
        posts += method === "POST" ? 1 : 0;
        // The first of them asks for names, the second for content.
        if (posts < 2) return false;
        response.writeHead(200, { "content-type": "application/x-git-upload-pack-result" });
        const packet = Buffer.concat([Buffer.from("fff0\u0002"), Buffer.alloc(0xfff0 - 5)]);
        const more = (): void => {
          while (response.writable && response.write(packet));
          response.once("drain", more);
        };
        response.write("000dpackfile\n");
        more();
        return true;
      };
      await refusedWith(repository.url, "source_unusable", "has more than 67108864 bytes");
    });

    test("where git is not installed, with what to do", async () => {
      const path = process.env["PATH"];
      process.env["PATH"] = "/nowhere";
      try {
        await refusedWith(repository.url, "source_unavailable", "install it");
      } finally {
        process.env["PATH"] = path;
      }
      expect(git.asked).toEqual([]);
    });
  });

  test("whose fetch is given up in its middle leaves no folder and no process", async () => {
    await repository.commit(skill);
    const controller = new AbortController();
    git.instead = ({ method }) => {
      if (method === "POST") controller.abort(new DOMException("", "TimeoutError"));
      return method === "POST";
    };
    const egress = createEgress({ allow: `127.0.0.1:${git.port}` });
    const source = parseSource(repository.url) as RepositorySource;
    const given = inOwnFolder(() => fetchRepository(egress, source, controller.signal));
    await expect(given).rejects.toMatchObject({ name: "TimeoutError" });
    expect(git.asked.at(-1)).toMatch(/^POST /);
    expect([await leftBehind(), await workingIn(own)]).toEqual([[], []]);
  });
});

test.runIf(hasGit)("a repository over TLS is fetched at the checked address, by its name and certificate", async () => {
  const name = "git.example";
  const { key, cert } = selfSigned(name);
  const git = await startGitGround({ key, cert, name });
  onTestFinished(() => git.close());
  const repository = await git.repository("x");
  const commit = await repository.commit(skill);
  // Names nobody else knows: git itself cannot have looked them up.
  const resolve = async () => ["127.0.0.1"];
  const fetched = (url: string, ca: string) => {
    const egress = createEgress({ allow: `127.0.0.1:${git.port}`, resolve, ca });
    return fetchRepository(egress, parseSource(url) as RepositorySource, new AbortController().signal);
  };
  const { ref, files } = await fetched(repository.url, cert);
  expect([ref, [...files.keys()]]).toEqual([commit, ["SKILL.md"]]);
  expect(git.asked.some((asked) => asked.startsWith("POST "))).toBe(true);
  await expect(fetched(repository.url.replace(name, "other.example"), cert)).rejects.toMatchObject({ kind: "away" });
  await expect(fetched(repository.url, selfSigned(name).cert)).rejects.toMatchObject({ kind: "away" });
});
