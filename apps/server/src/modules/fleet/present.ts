import type { Deployment, FleetRunner } from "@roster/contract";
import type { getInstance, RunnerRow } from "./store.ts";

/** A stored runner as the API shows it. */
export const presentRunner = (row: RunnerRow): FleetRunner => ({
  id: row.id,
  name: row.name,
  status: row.status,
  companyIds: row.companyIds === null ? null : [...row.companyIds],
  labels: [...(row.labels ?? [])],
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  runsUnderWay: row.runsUnderWay,
  createdAt: row.createdAt.toISOString(),
});

/** The deployment as the API shows it. */
export const presentInstance = ({ stoppedAt, runsUnderWay }: Awaited<ReturnType<typeof getInstance>>): Deployment => ({
  status: stoppedAt === null ? "running" : "stopped",
  stoppedAt: stoppedAt?.toISOString() ?? null,
  runsUnderWay,
});
