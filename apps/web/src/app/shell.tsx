import { Link } from "@tanstack/react-router";
import { Activity, CircleDot, Coins, Inbox, type LucideIcon, Search, Settings, Users } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useNeeds } from "../features/needs-you/needs.ts";
import { AccountMenu } from "./account-menu.tsx";
import { useCompany } from "./company.ts";
import { CompanyMenu } from "./company-menu.tsx";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

interface Place {
  readonly to: "/$prefix" | "/$prefix/issues" | "/$prefix/agents" | "/$prefix/costs" | "/$prefix/activity";
  readonly name: string;
  readonly Icon: LucideIcon;
}

const places: readonly Place[] = [
  { to: "/$prefix", name: "Needs you", Icon: Inbox },
  { to: "/$prefix/issues", name: "Issues", Icon: CircleDot },
  { to: "/$prefix/agents", name: "Agents", Icon: Users },
  { to: "/$prefix/costs", name: "Costs", Icon: Coins },
  { to: "/$prefix/activity", name: "Activity", Icon: Activity },
];

/** What is around a page: the ways to the others, the palette, and whether the page is live. */
export function Shell({ isLive, children }: { readonly isLive: boolean; readonly children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = usePaletteKey();
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#page"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the page
      </a>
      <Sidebar onSearch={() => setOpen(true)} />
      <div className="flex min-w-0 flex-col">
        <TopBar onSearch={() => setOpen(true)} />
        {!isLive && <LostBanner />}
        <main
          id="page"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-5xl flex-col gap-6 px-4 pt-5 pb-28 outline-none md:px-8 md:pt-8 md:pb-16"
        >
          {children}
        </main>
      </div>
      <BottomBar />
      {isOpen && (
        <Suspense fallback={null}>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

function usePaletteKey(): [boolean, (open: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen((open) => !open);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return [isOpen, setOpen];
}

function Sidebar({ onSearch }: { readonly onSearch: () => void }): ReactNode {
  return (
    <div className="sticky top-0 hidden h-dvh flex-col gap-4 border-line border-r px-3 py-4 md:flex">
      <CompanyMenu />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-ink-faint text-sm hover:bg-hover"
      >
        <Search size={14} aria-hidden="true" />
        <span className="flex-1 text-left">Go to…</span>
        <kbd className="font-sans text-xs">Ctrl K</kbd>
      </button>
      <nav aria-label="Company" className="flex flex-1 flex-col gap-0.5">
        {places.map((place) => (
          <PlaceLink key={place.to} place={place} className={sideLink} />
        ))}
        <span className="flex-1" />
        <SettingsLink />
      </nav>
      <AccountMenu />
    </div>
  );
}

const sideLink =
  "flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-ink-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink";
const bottomLink =
  "relative flex min-w-0 flex-1 flex-col items-center gap-0.5 py-2 text-xs text-ink-soft aria-[current=page]:text-accent";

function PlaceLink({ place, className }: { readonly place: Place; readonly className: string }): ReactNode {
  const { issuePrefix } = useCompany();
  const { to, name, Icon } = place;
  return (
    <Link to={to} params={{ prefix: issuePrefix }} className={className} activeOptions={{ exact: to === "/$prefix" }}>
      <Icon size={17} strokeWidth={1.75} aria-hidden="true" />
      <span className="flex-1">{name}</span>
      {to === "/$prefix" && <NeedsCount />}
    </Link>
  );
}

/** On a phone it is in the menu of the account. */
function SettingsLink(): ReactNode {
  const { issuePrefix } = useCompany();
  return (
    <Link to="/$prefix/settings" params={{ prefix: issuePrefix }} className={sideLink}>
      <Settings size={17} strokeWidth={1.75} aria-hidden="true" />
      Settings
    </Link>
  );
}

function NeedsCount(): ReactNode {
  const { count } = useNeeds();
  if (count === 0) return null;
  return (
    <span className="rounded-full bg-accent px-1.5 font-medium text-on-accent text-xs tabular-nums max-md:absolute max-md:top-1 max-md:left-1/2 max-md:ml-2">
      {count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

function TopBar({ onSearch }: { readonly onSearch: () => void }): ReactNode {
  return (
    <div className="sticky top-0 z-20 flex items-center justify-between gap-2 border-line border-b bg-canvas px-2 py-1.5 md:hidden">
      <CompanyMenu />
      <div className="flex items-center">
        <button
          type="button"
          onClick={onSearch}
          aria-label="Go to…"
          className="flex size-10 items-center justify-center"
        >
          <Search size={18} aria-hidden="true" />
        </button>
        <AccountMenu />
      </div>
    </div>
  );
}

function BottomBar(): ReactNode {
  return (
    <nav
      aria-label="Company"
      className="fixed inset-x-0 bottom-0 z-20 flex border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {places.map((place) => (
        <PlaceLink key={place.to} place={place} className={bottomLink} />
      ))}
    </nav>
  );
}

function LostBanner(): ReactNode {
  return (
    <div role="status" className="late border-line border-b bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
      The connection is lost. What you see may be old; it goes on by itself as soon as Roster answers.
    </div>
  );
}
