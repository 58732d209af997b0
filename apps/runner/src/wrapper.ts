/**
 * The product's one shell script. It is a constant: the status file and the command come as arguments. It outlives the
 * polite signals, which the whole group gets, so that it can note how its program ended. The few bytes of the note are
 * one write: it is whole, or empty, which is none. To rename it instead would take one more process for each run.
 */
const script = 's=$1; shift; trap : TERM INT HUP; "$@"; printf %s "$?" >"$s"';

/** The shell that runs the wrapper. */
export const wrapperShell = "/bin/sh";

/** Variables that the script sets for itself, and so for its program too where the environment already has them. */
export const wrapperVariables: readonly string[] = ["s"];

/** A program with its arguments, and where its exit status is to be noted. */
export interface WrappedProgram {
  readonly statusFile: string;
  /** Absolute: a name without a slash could be one of the shell's own commands, and `exit` would leave no status. */
  readonly path: string;
  readonly args: readonly string[];
}

/** The arguments for the shell. Pure. */
export function wrapperArguments({ statusFile, path, args }: WrappedProgram): string[] {
  return ["-c", script, "roster", statusFile, path, ...args];
}
