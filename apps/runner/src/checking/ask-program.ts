import { spawn } from "node:child_process";

const mostBytes = 4096;

/** How a program is asked. */
export interface Asked {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly withinMs: number;
}

/**
 * The beginning of what a program prints on standard output; null when it cannot be started, fails, or takes too long: it
 * is killed then, with everything that it has started in its group.
 */
export async function askProgram(path: string, { args, cwd, env, withinMs }: Asked): Promise<string | null> {
  const child = spawn(path, [...args], { cwd, env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    if (said.length < mostBytes) said += piece;
  });
  return await new Promise((resolve) => {
    const timer = setTimeout(() => {
      if (child.pid !== undefined) killGroup(child.pid);
      resolve(null);
    }, withinMs);
    const end = (answer: string | null): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    child.once("error", () => end(null));
    child.once("close", (code) => end(code === 0 ? said : null));
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
