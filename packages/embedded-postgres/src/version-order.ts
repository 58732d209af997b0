/**
 * Compares two package versions: below 0 when `left` is the older one, 0 when they are the same.
 * A pre-release (`18.4.0-beta.17`) is older than its release.
 */
export function compareVersions(left: string, right: string): number {
  const [leftParts, rightParts] = [parts(left), parts(right)];
  for (let index = 0; index < Math.max(leftParts.length, rightParts.length); index++) {
    const difference = (leftParts[index] ?? 0) - (rightParts[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parts(version: string): number[] {
  const [release = "", preRelease] = version.split("-");
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
  return [...numbers(release), ...(preRelease === undefined ? [Number.MAX_SAFE_INTEGER] : numbers(preRelease))];
}
