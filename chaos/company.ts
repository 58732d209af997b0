import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@roster/client";
import type { Random } from "./random.ts";

/** An agent of the story, and what its program prints when nobody disturbs it. */
export interface Worker {
  readonly id: string;
  readonly kind: keyof typeof habits;
  readonly lines: number;
}

/** A company with its agents and issues. */
export interface Company {
  readonly id: string;
  readonly workers: readonly Worker[];
  readonly issueIds: string[];
}

/** What a program does beside printing its lines. */
const habits = {
  steady: "",
  spender: `echo '{"type":"usage","provider":"test","model":"test","inputTokens":1000,"costUsd":0.03}'`,
  parent: "(sleep 300) & setsid sleep 300 &",
  stubborn: "trap '' TERM",
  failing: "exit 3",
} as const;

const kinds = Object.keys(habits) as readonly (keyof typeof habits)[];

/** The program of every agent: its habit, then its lines with pauses between them. */
const program = (habit: string): string => `#!/bin/sh
${habit}
i=0
while [ $i -lt "$1" ]; do echo "line $i"; i=$((i + 1)); sleep 0.0"$2"; done
`;

/** What the program of an agent prints, whole. */
export const wholeOutput = (lines: number): string => Array.from({ length: lines }, (_, n) => `line ${n}\n`).join("");

/** Founds a company whose budget holds its agents back now and then, with an agent of every kind. */
export async function found(
  client: Client,
  random: Random,
  { folder, mostLines }: { folder: string; mostLines: number },
): Promise<Company> {
  for (const [kind, habit] of Object.entries(habits)) {
    await writeFile(join(folder, kind), program(habit));
    await chmod(join(folder, kind), 0o755);
  }
  const body = { name: "Acme", requireBoardApprovalForNewAgents: true, budgetMonthlyCents: 500 };
  const { id } = await client.companies.create({ body });
  const workers: Worker[] = [];
  for (const kind of kinds) {
    const lines = random.between(5, mostLines);
    const pauseOf = random.between(2, 9);
    const agent = await client.hires.request({
      params: { companyId: id },
      body: {
        name: kind,
        adapterType: "process",
        adapterConfig: { command: join(folder, kind), args: [String(lines), String(pauseOf)], graceSec: 1 },
        runtimeConfig: { maxConcurrentRuns: random.between(1, 2), ...(kind === "spender" && { maxRunCostCents: 25 }) },
      },
    });
    await client.approvals.approve({ params: { approvalId: agent.approval?.id ?? "" }, body: {} });
    workers.push({ id: agent.agent.id, kind, lines });
  }
  return { id, workers, issueIds: [] };
}
