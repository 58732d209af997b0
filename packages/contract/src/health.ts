import { z } from "zod";
import { operations } from "./operation.ts";

/** State of the service. */
export const health = z.object({
  status: z.enum(["ok", "unavailable"]),
  version: z.string(),
  mode: z.enum(["local_trusted", "authenticated"]),
  trust: z.enum(["machine", "login"]).describe("machine: every process of this machine is trusted as the board"),
  database: z.enum(["ok", "unavailable"]),
});
/** State of the service as the API answers it. */
export type Health = z.infer<typeof health>;

/** Operations on the service itself. */
export const service = operations({
  health: {
    method: "GET",
    path: "/api/health",
    summary: "State of the service; always 200 while the process answers",
    may: "service.read",
    answer: { kind: "record", schema: health },
    probe: true,
  },
  welcome: {
    method: "GET",
    path: "/",
    summary: "What this is and where to go on",
    may: "service.read",
    answer: { kind: "text" },
  },
  livez: {
    method: "GET",
    path: "/livez",
    summary: "The process answers",
    may: "service.read",
    answer: { kind: "text" },
    probe: true,
  },
  readyz: {
    method: "GET",
    path: "/readyz",
    summary: "The database is reachable and migrated; else 503",
    may: "service.read",
    answer: { kind: "text" },
    probe: true,
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    summary: "What this server does and how it fares, in the text form of Prometheus",
    may: "metrics.read",
    answer: { kind: "text", type: "text/plain; version=0.0.4" },
    probe: true,
  },
  openapi: {
    method: "GET",
    path: "/api/openapi.json",
    summary: "This interface as OpenAPI 3.1",
    may: "service.read",
    answer: { kind: "record", schema: z.record(z.string(), z.json()) },
  },
});
