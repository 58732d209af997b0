import { Link } from "@tanstack/react-router";
import { Check, ChevronsUpDown, Plus, Search } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useAsk } from "../api/queries.ts";
import { useCompany } from "./company.ts";
import { menuClass, menuItemClass } from "./menu.ts";

const CompanySwitcher = lazy(async () => ({ default: (await import("./company-switcher.tsx")).CompanySwitcher }));

// What can be looked over at one glance; of more one is found by typing.
const mostShown = 20;

/** Which company this is, and the ways to the others. */
export function CompanyMenu(): ReactNode {
  const company = useCompany();
  const { data } = useAsk("companies.list", { query: { limit: mostShown } });
  const [isSearching, setSearching] = useState(false);
  const items = data?.items ?? [];
  const hasMore = data !== undefined && data.next !== null;
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="flex min-w-0 items-center gap-2.5 rounded-md px-1.5 py-1 text-left hover:bg-hover">
          <span
            aria-hidden="true"
            className="flex size-7 shrink-0 items-center justify-center rounded-md bg-accent font-semibold text-on-accent text-sm"
          >
            {company.name.charAt(0).toUpperCase()}
          </span>
          <span className="min-w-0 flex-1 truncate font-semibold">{company.name}</span>
          <ChevronsUpDown size={14} className="text-ink-faint" aria-hidden="true" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content align="start" sideOffset={4} className={menuClass}>
          {hasMore && (
            <DropdownMenu.Item onSelect={() => setSearching(true)} className={menuItemClass}>
              <Search size={14} aria-hidden="true" />
              Find a company…
            </DropdownMenu.Item>
          )}
          {items.map(({ id, name, issuePrefix }) => (
            <DropdownMenu.Item key={id} asChild>
              <Link to="/$prefix" params={{ prefix: issuePrefix }} className={menuItemClass}>
                <span className="flex-1 truncate">{name}</span>
                {id === company.id && <Check size={14} aria-label="shown now" />}
              </Link>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item asChild>
            <Link to="/start" className={menuItemClass}>
              <Plus size={14} aria-hidden="true" />
              New company
            </Link>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      {isSearching && (
        <Suspense fallback={null}>
          <CompanySwitcher onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </>
  );
}
