import {
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import {
  type AnswerOf,
  callOperation,
  type InputOf,
  type ItemOf,
  type OperationName,
  type PagedName,
} from "./operations.ts";

const keyOf = (name: OperationName, input: unknown): QueryKey => [...name.split("."), input ?? null];

/** Asks an operation and keeps the answer fresh; a `null` input asks nothing yet. */
export function useAsk<N extends OperationName>(name: N, input: InputOf<N> | null): UseQueryResult<AnswerOf<N>> {
  return useQuery<AnswerOf<N>>({
    queryKey: keyOf(name, input),
    queryFn: ({ signal }) => callOperation(name, input ?? undefined, signal),
    enabled: input !== null,
  });
}

/** All items of a list that were read so far. */
export interface Paged<T> {
  readonly items: readonly T[];
  readonly query: UseInfiniteQueryResult<readonly T[]>;
}

/** Always the same one, so that what is made of it is made once. */
const noItems: readonly never[] = [];

/** Reads a list page by page. */
export function usePages<N extends PagedName>(name: N, input: InputOf<N>): Paged<ItemOf<N>> {
  const query = useInfiniteQuery({
    queryKey: keyOf(name, { ...input, pages: true }),
    queryFn: async ({ signal, pageParam }) => {
      const { query: filters } = input as { query?: object };
      const at = pageParam === null ? {} : { cursor: pageParam };
      // What pages have in common; the items are those of the operation that was named.
      const page: unknown = await callOperation(name, { ...input, query: { ...filters, ...at } }, signal);
      return page as { readonly items: readonly ItemOf<N>[]; readonly next: string | null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
  return { items: query.data ?? noItems, query };
}

/** Reads a list to its end, page by page, by itself. */
export function useAllPages<N extends PagedName>(name: N, input: InputOf<N>): Paged<ItemOf<N>> {
  const paged = usePages(name, input);
  const { hasNextPage, isFetching, isError, fetchNextPage } = paged.query;
  useEffect(() => {
    // Several that read the same list ask for each page once.
    if (hasNextPage && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return paged;
}

/** Something to be done, with what came of it. When it is done, everything that it may have changed is asked anew. */
export function useCommand<N extends OperationName>(
  name: N,
  after?: (answer: AnswerOf<N>) => void,
): UseMutationResult<AnswerOf<N>, Error, InputOf<N>> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<N>) => callOperation(name, input),
    onSuccess: async (answer) => {
      after?.(answer);
      await queries.invalidateQueries();
    },
    // Who was slower, or too late, is to see what is there now.
    onError: () => void queries.invalidateQueries(),
  });
}
