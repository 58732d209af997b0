import type { Account } from "./account.ts";
import type { DataFolder } from "./data-holders.ts";
import type { InstalledBinaries } from "./installed-binaries.ts";
import type { Place } from "./place.ts";
import { clusterNameOf } from "./server-settings.ts";

/** Everything that is settled about a home's database before a server is looked for. */
export interface Site {
  readonly place: Place;
  readonly account: Account;
  readonly installed: InstalledBinaries;
  readonly settings: Record<string, string>;
  readonly log: (line: string) => void;
}

/** What tells this site's server processes from others. */
export function dataFolderOf({ place, account }: Site): DataFolder {
  return { data: place.data, clusterName: clusterNameOf(place), uid: account.uid };
}
