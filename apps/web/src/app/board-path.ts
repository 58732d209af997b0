/** Resources of the API that have a page, and where it is. */
const pages: Readonly<Record<string, string>> = {
  agents: "agents",
  issues: "issues",
  approvals: "approvals",
  "heartbeat-runs": "runs",
};

const resource = /^\/api\/([a-z-]+)\/([\w-]{1,64})$/;
const page = /^\/[A-Z][A-Z0-9]*(?:\/[\w/.-]*)?$/;

/**
 * The page of the board that an address in a text means: that of what an agent names by its address in the API, or one of
 * the board itself; null for all else. Pure.
 */
export function boardPathOf(href: string, prefix: string): string | null {
  if (page.test(href)) return href;
  const [, kind = "", id = ""] = resource.exec(href) ?? [];
  const folder = Object.hasOwn(pages, kind) ? pages[kind] : undefined;
  return folder === undefined ? null : `/${prefix}/${folder}/${id}`;
}
