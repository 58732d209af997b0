import { BaseSequencer } from "vitest/node";

const longest = /\/sweep\/sweep\.test\.ts$/;

/** The order of test files: the one that takes longest goes first, so that no worker waits for it at the end. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(longest.test(b.moduleId)) - Number(longest.test(a.moduleId)));
  }
}
