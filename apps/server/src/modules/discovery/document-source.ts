import type { AdapterSpec } from "@roster/adapter";

/** What the discovery documents are made from. */
export interface DocumentSource {
  /** Address under which the reader reaches the service, without a path. */
  readonly baseUrl: string;
  readonly specs: readonly AdapterSpec[];
}

/** Paths of the discovery documents. */
export const documentPaths = {
  index: "/llms.txt",
  agentConfiguration: "/llms/agent-configuration.txt",
  adapter: (type: string) => `/llms/agent-configuration/${type}.txt`,
  agentWork: "/llms/agent-work.txt",
  icons: "/llms/agent-icons.txt",
} as const;

/** The whole address of a path of the service. */
export function address(source: Pick<DocumentSource, "baseUrl">, path: string): string {
  return source.baseUrl.replace(/\/+$/, "") + path;
}
