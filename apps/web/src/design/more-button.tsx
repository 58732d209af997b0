import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Refusal } from "./refusal.tsx";
import { Waiting } from "./surface.tsx";

/** The rest of a list, where there is one; what went wrong with reading it. */
export function MoreButton({ query }: { readonly query: UseInfiniteQueryResult<unknown> }): ReactNode {
  if (query.error !== null) return <Refusal error={query.error} />;
  if (query.isPending) return <Waiting />;
  if (!query.hasNextPage) return null;
  return (
    <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      Show more
    </Button>
  );
}
