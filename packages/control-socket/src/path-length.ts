/** The smallest limit of the systems we run on (macOS 104 with its end mark, Linux 108). */
const longestPathBytes = 103;

/** Node cuts longer paths off without a word, and would listen elsewhere. */
export function checkPathLength(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes > longestPathBytes) {
    throw new RangeError(`A socket path may have ${longestPathBytes} bytes; this one has ${bytes}: ${path}`);
  }
}
