/** One page of a list; `next` is the cursor of the following one, null on the last. */
export interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

/** Every item of a list. A page is asked for when the ones before it are used up. */
export async function* itemsOf<T>(
  first: string | undefined,
  pageAt: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T> {
  let page = await pageAt(first);
  for (;;) {
    yield* page.items;
    if (page.next === null) return;
    page = await pageAt(page.next);
  }
}

/** The cursor of the page after an answer; null where there is none. */
export function nextCursor({ headers }: Response): string | null {
  const next = /<([^>]+)>;\s*rel="next"/.exec(headers.get("link") ?? "");
  return next?.[1] === undefined ? null : new URL(next[1], "http://relative").searchParams.get("cursor");
}
