import { promptVariables, runEnvironment } from "@roster/adapter";
import { address, type DocumentSource, documentPaths } from "./document-source.ts";
import { fence } from "./example-fence.ts";
import { fieldReference } from "./field-reference.ts";
import { hireExample } from "./hire-example.ts";

/** `/llms/agent-configuration/<type>.txt`: one adapter and its settings; null when there is no such adapter. */
export function adapterText(source: DocumentSource, type: string): string | null {
  const spec = source.specs.find((candidate) => candidate.type === type);
  if (spec === undefined) return null;
  return [
    `# Adapter ${spec.type}: ${spec.title}`,
    "",
    spec.description,
    `How to hire, and all other fields: ${address(source, documentPaths.agentConfiguration)}`,
    "",
    "## Example",
    "",
    `Set adapterType to "${spec.type}" and adapterConfig to the settings below. A complete body of POST /api/companies/:companyId/agent-hires:`,
    "",
    fence(hireExample(spec)),
    "",
    "## Settings",
    "",
    fieldReference(spec.settings, "adapterConfig."),
    "",
    "A key that is not listed is kept, but has no effect; a check of the agent reports it.",
    "",
    "## Notes",
    "",
    ...spec.notes.map((note) => `- ${note}`),
    "",
    ...whatARunGets(),
    "",
  ].join("\n");
}

function whatARunGets(): string[] {
  const variables = runEnvironment.map(({ name, description, always }) => {
    return `- ${name}${always ? "" : " (where it applies)"}: ${description}`;
  });
  return [
    "## What a run gets",
    "",
    ...variables,
    "",
    "Variables of adapterConfig.promptTemplate; one that does not apply is empty:",
    "",
    ...Object.entries(promptVariables).map(([name, description]) => `- {{${name}}}: ${description}`),
  ];
}
