import { type CanaryForm, canariesIn } from "./canaries.ts";

/** Canaries that are never used twice, and where each was planted. */
export class Aviary {
  readonly #homes = new Map<number, string>();

  /** A new canary, to be planted in this place. */
  release(form: Pick<CanaryForm, "write">, home: string): string {
    const number = this.#homes.size;
    this.#homes.set(number, home);
    return form.write(number);
  }

  /** Where the canaries that show up in a text were planted, one sentence each. */
  traces(text: string): string[] {
    return canariesIn(text).map(({ number, around }) => {
      const home = number === null ? "somewhere, encoded" : (this.#homes.get(number) ?? "nowhere");
      return `planted in ${home}, found in: …${around}…`;
    });
  }
}
