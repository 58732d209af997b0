import type { ServerResponse } from "node:http";
import type { RefusalCode } from "@roster/contract";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { metricName } from "./metric-name.ts";

/** Hears of requests and what becomes of them. */
export interface HttpMeter {
  /** Counts a request to an operation, from now until its answer is complete or nobody waits for it any more. */
  began(operation: string, response: ServerResponse): void;
  refused(code: RefusalCode): void;
}

/** From what a key's lookup takes to what a runner waits for work. */
const bucketsSec = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts requests, in a registry. */
export function createHttpMeter(registry: Registry): HttpMeter {
  const registers = [registry];
  const open = new Set<ServerResponse>();
  const requests = new Counter({
    name: metricName("http_requests_total"),
    help: "Requests that were answered, by operation of the contract and status; none: gone before an answer",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: metricName("http_request_duration_seconds"),
    help: "From a request's arrival to the end of its answer, without event streams",
    labelNames: ["operation"],
    buckets: bucketsSec,
    registers,
  });
  const refusals = new Counter({
    name: metricName("http_refusals_total"),
    help: "Refusals, by code",
    labelNames: ["code"],
    registers,
  });
  count(
    registry,
    "http_requests_in_flight",
    "Requests that are being answered, event streams included",
    () => open.size,
  );
  count(registry, "event_streams", "Event streams that somebody reads", () => [...open].filter(isEventStream).length);
  return {
    began(operation, response) {
      const since = performance.now();
      open.add(response);
      response.once("close", () => {
        open.delete(response);
        requests.inc({ operation, status: response.headersSent ? String(response.statusCode) : "none" });
        if (!isEventStream(response)) durations.observe({ operation }, (performance.now() - since) / 1000);
      });
    },
    refused: (code) => refusals.inc({ code }),
  };
}

const isEventStream = (response: ServerResponse): boolean =>
  String(response.getHeader("content-type") ?? "").startsWith("text/event-stream");

function count(registry: Registry, name: string, help: string, value: () => number): Gauge {
  return new Gauge({
    name: metricName(name),
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}
