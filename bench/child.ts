import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { interruption } from "./interruption.ts";

type Question = Readonly<Record<string, unknown>>;

/** A process of its own that answers one question at a time. */
export interface Child {
  readonly pid: number;
  /** Rejects with what the process said when it cannot answer or has died. */
  ask<T>(question: Question): Promise<T>;
  /** Ends it in its own way, so that it can still write a profile. */
  stop(): Promise<void>;
}

/** Starts one of the bundled programs beside this one. */
export function startChild(name: string, argv: readonly string[] = [], execArgv: readonly string[] = []): Child {
  const program = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const child = fork(program, argv, {
    execArgv: [...execArgv, "--enable-source-maps"],
    // Standard output is for the report.
    stdio: ["ignore", 2, 2, "ipc"],
    signal: interruption.signal,
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  return {
    pid: child.pid ?? 0,
    ask: (question) => answerOf(child, name, question),
    stop: () => {
      if (child.connected) child.disconnect();
      return ended;
    },
  };
}

function answerOf<T>(child: ChildProcess, name: string, question: Question): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      child.off("message", hear);
      child.off("exit", die);
    };
    const hear = (answer: { readonly value?: T; readonly error?: string }): void => {
      settle();
      if (answer.error === undefined) resolve(answer.value as T);
      else reject(new Error(`${name}: ${answer.error}`));
    };
    const die = (): void => {
      settle();
      reject(new Error(`the process "${name}" has ended`));
    };
    child.on("message", hear);
    child.on("exit", die);
    child.send(question, (error) => error && die());
  });
}

/** The other side: answers the parent until it lets go, then does its last work and exits. */
export function answerParent(answer: (question: Question) => Promise<unknown>, close: () => Promise<void>): void {
  process.on("message", (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ value }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.once("disconnect", () => void close().finally(() => process.exit()));
}
