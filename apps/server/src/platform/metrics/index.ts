export type { GaugeSource, Sample } from "./gauges.ts";
export type { HttpMeter } from "./http-metrics.ts";
export { createMeter, type EntryCount, type Meter } from "./meter.ts";
