import { z } from "zod";
import { id, idOf, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** The file that makes a folder a skill. */
export const skillEntryFile = "SKILL.md";
/** Most files of one skill. */
export const mostSkillFiles = 200;
/** Most bytes of one skill, all its files together. */
export const mostSkillBytes = 5 * 1_048_576;
/** Most skills of one import. */
export const mostSkillsAtOnce = 50;
const mostFilesAtOnce = mostSkillsAtOnce * mostSkillFiles;

/** What a file of a skill is for; `script` is what a program could run. */
export const skillFileKinds = ["skill", "markdown", "reference", "script", "asset", "other"] as const;
/** What a file of a skill is for. */
export type SkillFileKind = (typeof skillFileKinds)[number];
/**
 * Where skills come from: `files` of a request, a `folder` of the service's own machine, a `git` repository, or one file
 * at a `url`.
 */
export const skillSourceTypes = ["files", "folder", "git", "url"] as const;

const contentHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "64 hexadecimal digits, as contentHash of a skill shows them")
  .describe("SHA-256 over the paths and bytes of all files; the same files have the same hash everywhere");

const skillFile = z.object({
  path: z.string().describe("Inside the skill"),
  kind: z.enum(skillFileKinds),
  bytes: z.int(),
});
/** A file of a skill without its content. */
export type SkillFile = z.infer<typeof skillFile>;

const skillContent = skillFile.extend({
  encoding: z.enum(["utf8", "base64"]).describe("base64 where the bytes are not UTF-8 text"),
  content: z.string(),
});
/** A file of a skill with its content. */
export type SkillContent = z.infer<typeof skillContent>;

/** A skill of a company, as its present version is. */
export const skill = z
  .object({
    id,
    companyId: id,
    key: z
      .string()
      .describe(
        "Canonical name, unique in the company: owner/repo/slug of a GitHub repository, host/path/slug of another, else local/slug",
      ),
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    source: z.object({
      type: z.enum(skillSourceTypes),
      locator: z.string().nullable().describe("The folder or address, which can be imported again; null for files"),
      ref: z.string().nullable().describe("The commit that was taken of a repository"),
    }),
    contentHash,
    files: z.array(skillFile),
    createdAt: time,
  })
  .meta({ id: "Skill" });
/** A skill as the API answers it. */
export type Skill = z.infer<typeof skill>;

/** What a skill held at one time. */
export const skillVersion = z
  .object({ id, contentHash, files: z.array(skillFile), createdAt: time })
  .meta({ id: "SkillVersion" });
/** A version of a skill as the API answers it. */
export type SkillVersion = z.infer<typeof skillVersion>;

const files = z
  .record(z.string(), z.string())
  .refine((texts) => Object.keys(texts).length <= mostFilesAtOnce, `at most ${mostFilesAtOnce} files`)
  .describe(`Texts by path; every folder with a ${skillEntryFile} is one skill, the top one included`)
  .meta({ examples: [{ [skillEntryFile]: "---\nname: Review\ndescription: Reviews code\n---\nRead it twice.\n" }] });
const source = z
  .string()
  .min(1)
  .max(4096)
  .describe(
    "owner/repo[/path][@ref] of GitHub; https://….git[#path][@ref]; https://…/SKILL.md; or the absolute path of a folder on the service's machine (only the board, in local trusted mode or below a folder that the operator opened)",
  )
  .meta({ examples: ["/srv/skills/review"] });

const importBody = z.union([z.strictObject({ files }), z.strictObject({ source })], {
  error:
    "needs either files, an object of texts by path, or source, where to find them; one of the two and nothing else",
});

const imported = z.object({
  imported: z.array(skill).describe("Every skill that was found, whether new, changed or as it was"),
  warnings: z.array(z.string()).describe("What was left out or deserves a look"),
});
/** What an import answers. */
export type ImportedSkills = z.infer<typeof imported>;

const nameIn = { companyId: idOf("company").optional().describe("Where a key or slug is looked up") };

/** Operations on skills. */
export const skills = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/skills",
    summary: "Skills of a company",
    may: "skill.read",
    query: pageQuery({}, 200),
    answer: { kind: "page", schema: skill },
  },
  import: {
    method: "POST",
    path: "/api/companies/:companyId/skills/import",
    summary: "Import skills; what has not changed stays, what has becomes a new version",
    may: "skill.import",
    body: importBody,
    answer: { kind: "created", at: "/api/companies/:companyId/skills", schema: imported },
    refusals: ["secret_in_text", "unknown_reference", "source_refused", "source_unavailable", "source_unusable"],
    bodyLimitBytes: 8 * 1_048_576,
    prepares: true,
  },
  get: {
    method: "GET",
    path: "/api/skills/:skillId",
    summary: "Read one skill, by id, key or slug",
    may: "skill.read",
    query: z.strictObject(nameIn),
    answer: { kind: "record", schema: skill, versioned: true },
  },
  listVersions: {
    method: "GET",
    path: "/api/skills/:skillId/versions",
    summary: "Everything a skill has held, newest first",
    may: "skill.read",
    query: pageQuery(nameIn),
    answer: { kind: "page", schema: skillVersion },
  },
  getFile: {
    method: "GET",
    path: "/api/skills/:skillId/files",
    summary: "Read one file of a skill",
    may: "skill.read",
    query: z.strictObject({
      ...nameIn,
      path: z.string().min(1).max(500).default(skillEntryFile),
      contentHash: contentHash.optional().describe("Of an older version; the present one when absent"),
    }),
    answer: { kind: "record", schema: skillContent },
  },
});
