/** Tells the time. Production reads the machine's clock; tests of pure decisions pass a fixed one. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();
