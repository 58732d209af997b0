import type { Contract } from "@roster/contract";
import type { HandlersOf } from "../../platform/http/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import { listPrograms } from "../runners/index.ts";
import { adapterText } from "./adapter-text.ts";
import { adaptersOf } from "./adapters-of.ts";
import { agentConfigurationText } from "./agent-configuration-text.ts";
import { agentWorkText } from "./agent-work-text.ts";
import type { DocumentSource } from "./document-source.ts";
import { iconsText } from "./icons-text.ts";
import { indexText } from "./index-text.ts";

/** The discovery documents; `source` is asked at each request, because the address is known only once the server listens. */
export function discoveryHandlers(source: () => DocumentSource): HandlersOf<Contract["discovery"]> {
  return {
    index: async () => indexText(source()),
    agentConfiguration: async () => agentConfigurationText(source()),
    adapter: async (_scope, { params }) => {
      const found = source();
      const text = adapterText(found, params.adapterType);
      if (text !== null) return text;
      const types = found.specs.map(({ type }) => type);
      throw new Refusal("not_found", `There is no adapter "${params.adapterType}". There are: ${types.join(", ")}.`, {
        details: [{ path: "adapterType", message: "is not an adapter", allowed: types }],
      });
    },
    adapters: async ({ db }) => {
      const told = await listPrograms(db);
      return { adapters: [...adaptersOf(source().specs, told)], looked: told.length > 0 };
    },
    agentWork: async () => agentWorkText(source()),
    icons: async () => iconsText(),
  };
}
