/** npm passes on to its child what the terminal has sent to both; one press of Ctrl-C arrives twice. */
const sameRequestMs = 500;

/** Calls `stop` at the first SIGINT or SIGTERM and `end` at the next that a person can have meant as a second one. */
export function onStopSignals(stop: () => void, end: () => void): void {
  let firstAt: number | null = null;
  const heard = (): void => {
    const now = performance.now();
    if (firstAt === null) {
      firstAt = now;
      stop();
    } else if (now - firstAt >= sameRequestMs) {
      end();
    }
  };
  process.on("SIGINT", heard);
  process.on("SIGTERM", heard);
  // The terminal is closed, the work goes on: agents run for hours, and connections to a machine break.
  process.on("SIGHUP", () => undefined);
}
