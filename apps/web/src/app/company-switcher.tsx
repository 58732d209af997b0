import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { type ReactNode, useEffect } from "react";
import { usePages } from "../api/queries.ts";
import { Refusal } from "../design/refusal.tsx";
import { CommandFrame, commandItemClass } from "./command-frame.tsx";

/** Every company that one sees, found by typing its name or its prefix, however many there are. */
export function CompanySwitcher({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const { items, query } = usePages("companies.list", { query: { limit: 200 } });
  const { hasNextPage, isFetching, fetchNextPage } = query;
  // Only what has been read can be found.
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return (
    <CommandFrame label="Companies" placeholder="Find a company…" onClose={onClose}>
      <Command.Empty className="px-3 py-6 text-center text-ink-faint text-sm">
        {query.isPending || hasNextPage ? "Loading…" : "No company is called that."}
      </Command.Empty>
      <Refusal error={query.error} />
      {items.map(({ id, name, issuePrefix }) => (
        <Command.Item
          key={id}
          value={`${name} ${issuePrefix}`}
          onSelect={() => {
            onClose();
            void navigate({ to: "/$prefix", params: { prefix: issuePrefix } });
          }}
          className={commandItemClass}
        >
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="text-ink-faint text-xs">{issuePrefix}</span>
        </Command.Item>
      ))}
    </CommandFrame>
  );
}
