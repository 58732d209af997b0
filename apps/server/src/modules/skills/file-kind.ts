import { type SkillFileKind, skillEntryFile } from "@roster/contract";

const runnable = /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|py|rb|pl|php|lua|r|[cm]?[jt]sx?)$/i;
const media = /\.(?:png|jpe?g|gif|webp|svg|ico|pdf|woff2?|ttf|otf|mp[34]|wav|zip)$/i;

/** What a file of a skill is for, by its name first and then by its folder. Pure. */
export function fileKind(path: string): SkillFileKind {
  const folder = path.includes("/") ? path.slice(0, path.indexOf("/")).toLowerCase() : "";
  if (path === skillEntryFile) return "skill";
  if (runnable.test(path) || folder === "scripts") return "script";
  if (media.test(path) || folder === "assets") return "asset";
  if (folder === "references" || folder === "reference") return "reference";
  return /\.(?:md|markdown)$/i.test(path) ? "markdown" : "other";
}
