/** `refused`: may not be asked; `large`: is too large; `away`: could not be had, whatever else the reason. */
export type EgressFaultKind = "refused" | "large" | "away";

/** Something outside could not be had. The message says why, as the end of a sentence that begins with its name. */
export class EgressFault extends Error {
  readonly kind: EgressFaultKind;

  constructor(kind: EgressFaultKind, message: string) {
    super(message);
    this.name = "EgressFault";
    this.kind = kind;
  }
}

/** The fault that an error of a connection is. What it took longest to wait for ends it as `away`. */
export function faultOf(error: unknown): EgressFault {
  if (error instanceof EgressFault) return error;
  const { name } = error instanceof Error ? error : { name: "" };
  if (name === "TimeoutError") return new EgressFault("away", "took too long");
  if (name === "AbortError") return new EgressFault("away", "was given up, because nobody waits for it any more");
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return new EgressFault("away", `could not be reached${code === undefined ? "" : ` (${code})`}`);
}
