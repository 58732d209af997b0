import { useAsk } from "../../api/queries.ts";
import { type Adapter, adaptersIn } from "./adapters-in.ts";

/** The adapters that there are. */
export function useAdapters(): readonly Adapter[] {
  const { data } = useAsk("discovery.agentConfiguration", {});
  return data === undefined ? [] : adaptersIn(data);
}
