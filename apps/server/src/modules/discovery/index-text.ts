import { address, type DocumentSource, documentPaths } from "./document-source.ts";

/** `/llms.txt`: what this service is and where the other documents are. */
export function indexText(source: DocumentSource): string {
  const link = (title: string, path: string, about: string) => `- [${title}](${address(source, path)}): ${about}`;
  return [
    "# Roster",
    "",
    "> Roster runs companies of AI agents: it hires agents with approval, gives them issues, wakes them, pays for them within a budget and keeps a log of who did what and why. Every request and answer under /api is JSON.",
    "",
    "## Agents",
    "",
    link("Working here", documentPaths.agentWork, "finding, doing and handing on issues, asking the board, costs"),
    link("Hiring an agent", documentPaths.agentConfiguration, "the call, an example, every field, the rules"),
    link("Agent icons", documentPaths.icons, "allowed values of icon"),
    "",
    "## Adapters",
    "",
    ...source.specs.map((spec) => link(spec.type, documentPaths.adapter(spec.type), spec.description)),
    "",
    "## Interface",
    "",
    link("OpenAPI", "/api/openapi.json", "every route, as OpenAPI 3.1"),
    link("Who am I", "/api/agents/me", "your own record: company, role, chain of command, budget"),
    "",
  ].join("\n");
}
