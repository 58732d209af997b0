import { createContext } from "react";

/** A link to a page of the board itself. */
export interface OwnLink {
  readonly path: string;
  /** Goes there without loading the board anew. */
  readonly follow: () => void;
}

/** Says of an address in somebody's text which page of the board it means; null where it means none. */
export const OwnLinks = createContext<(href: string) => OwnLink | null>(() => null);
