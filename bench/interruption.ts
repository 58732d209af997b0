/** Aborted when the measurement is to end early; ends the processes it has started, and so whatever waits for them. */
export const interruption = new AbortController();
