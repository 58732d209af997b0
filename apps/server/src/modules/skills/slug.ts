import { createHash } from "node:crypto";
import { isId } from "../../platform/ids.ts";

/**
 * The short name of a skill: from its name, else from its folder, else from a hash of its name, so that two names
 * without a Latin letter do not meet in one slug. Never looks like an id. Pure.
 */
export function slugOf(name: string, folder: string): string {
  const slug = plain(name) || plain(folder);
  if (slug === "") return `skill-${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
  return isId(slug) ? `skill-${slug}` : slug;
}

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
