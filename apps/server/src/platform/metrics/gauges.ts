import { Gauge, type Registry } from "prom-client";
import type { Database, Reader } from "../database/index.ts";
import { metricName } from "./metric-name.ts";

/** A number that goes up and down. */
export interface GaugeFamily {
  /** Without the prefix that all of ours have. */
  readonly name: string;
  readonly help: string;
  /** What tells its values apart; of a few known words, never an id. */
  readonly label?: string;
}

/** One value of a gauge, under the word of its label where it has one. */
export interface Sample {
  readonly value: number;
  readonly word?: string;
}

/** Gauges of a module, read together from the database when somebody asks for them. */
export interface GaugeSource {
  readonly gauges: readonly GaugeFamily[];
  /** Samples by the name of their gauge. Costs little, however much there is. */
  readonly read: (db: Reader) => Promise<Readonly<Record<string, readonly Sample[]>>>;
}

/** The values of many sources. */
export interface Gauges {
  /** Reads them, once for all who ask meanwhile. False when the database does not answer: then none has a value. */
  refresh(): Promise<boolean>;
}

/** Prometheus itself gives up after ten seconds. */
const patienceMs = 3000;

/** Gauges of these sources, in a registry. */
export function createGauges(
  registry: Registry,
  { reader }: Pick<Database, "reader">,
  sources: readonly GaugeSource[],
): Gauges {
  const families = sources.flatMap(({ gauges }) => gauges);
  const gauges = new Map(families.map((family) => [family.name, gaugeOf(registry, family)]));
  let reading: Promise<boolean> | null = null;

  function show(values: Readonly<Record<string, readonly Sample[]>>): void {
    for (const { name, label } of families) {
      const gauge = gauges.get(name);
      gauge?.reset();
      // Without a label there is always a value: of what nobody knows, none that is a number.
      const samples = values[name] ?? (label === undefined ? [{ value: Number.NaN }] : []);
      for (const { value, word } of samples) gauge?.set(label === undefined ? {} : { [label]: word ?? "" }, value);
    }
  }

  async function read(): Promise<boolean> {
    const all = await inTime(Promise.all(sources.map((source) => source.read(reader)))).catch(() => null);
    show(Object.fromEntries((all ?? []).flatMap((values) => Object.entries(values))));
    return all !== null;
  }

  return {
    refresh() {
      reading ??= read().finally(() => {
        reading = null;
      });
      return reading;
    },
  };
}

const gaugeOf = (registry: Registry, { name, help, label }: GaugeFamily): Gauge =>
  new Gauge({
    name: metricName(name),
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
  });

async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, patienceMs, new Error("the database did not answer in time"));
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
