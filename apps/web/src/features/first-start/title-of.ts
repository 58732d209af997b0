/** The first sentence or line, as long as a title may be. Pure. */
export function titleOf(goal: string): string {
  const [line = ""] = goal.trim().split(/\n|(?<=[.!?])\s/);
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}
