// A vitest reporter: the very last line is `N passed, N failed, N skipped`, for whoever reads the end of a log.
// A run in which no test was executed fails: silence is not success.

/** Counts what vitest itself would fail for: tests, and what broke outside of one (a file that does not load, a hook). */
function countModule(module, counts) {
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === "passed") counts.passed += 1;
    else if (state === "failed") counts.failed += 1;
    else counts.skipped += 1;
  }
  counts.failed += module.errors().length;
  for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
}

export default class ClosingLine {
  #counts = { passed: 0, failed: 0, skipped: 0 };

  onInit() {
    // At exit, because other reporters and vitest itself still write after the last test.
    process.once("exit", () => this.#close());
  }

  onTestRunEnd(modules, unhandledErrors) {
    this.#counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) countModule(module, this.#counts);
  }

  #close() {
    const { passed, failed, skipped } = this.#counts;
    if (passed + failed === 0 || failed > 0) process.exitCode ||= 1;
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
