const atOnce = 10;

/** Makes so many of something, some at a time; answers them in order. */
export async function many<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) {
    const size = Math.min(atOnce, count - made.length);
    const first = made.length;
    made.push(...(await Promise.all(Array.from({ length: size }, (_, offset) => make(first + offset)))));
  }
  return made;
}
