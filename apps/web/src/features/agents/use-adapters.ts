import type { Adapter } from "@roster/client";
import { useQuery } from "@tanstack/react-query";
import { callOperation } from "../../api/operations.ts";
import { offeredAdapters } from "./offered-adapters.ts";

/** What a runner finds is told without a reload: soon after it started, and when somebody has installed a program. */
const firstMs = 1500;
const laterMs = 15_000;

/** The adapters that there are, those first that a runner has found; empty until they are known. */
export function useAdapters(): { readonly adapters: readonly Adapter[]; readonly looked: boolean } {
  const { data } = useQuery({
    queryKey: ["discovery", "adapters", null],
    queryFn: ({ signal }) => callOperation("discovery.adapters", {}, signal),
    refetchInterval: ({ state }) => (state.data?.looked === true ? laterMs : firstMs),
  });
  return { adapters: offeredAdapters(data?.adapters ?? []), looked: data?.looked === true };
}
