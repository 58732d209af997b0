import type { Adapter } from "@roster/adapter";
import { processAdapter } from "./process/index.ts";

const adapters: readonly Adapter[] = [processAdapter];

/** The runner's side of the adapter of this type; null when this runner cannot execute such runs. */
export function findAdapter(type: string): Adapter | null {
  return adapters.find((adapter) => adapter.type === type) ?? null;
}
