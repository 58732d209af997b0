import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, CircleUser, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactNode, useState } from "react";
import { callOperation } from "../api/operations.ts";
import { useAsk } from "../api/queries.ts";
import { toast } from "../design/toast.tsx";
import { useCompany } from "./company.ts";
import { menuClass, menuItemClass } from "./menu.ts";
import { chooseTheme, chosenTheme, type Theme, themes } from "./theme.ts";

const looks = { system: ["As the device", Monitor], light: ["Light", Sun], dark: ["Dark", Moon] } as const;

/** Who is signed in, how the page looks, and the way out. */
export function AccountMenu(): ReactNode {
  const { data } = useAsk("auth.session", {});
  const [theme, setTheme] = useState(chosenTheme);
  const name = data?.user.name ?? "";
  const { issuePrefix } = useCompany();
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="flex h-10 min-w-0 items-center gap-2.5 rounded-md px-2.5 text-ink-soft text-sm hover:bg-hover hover:text-ink md:h-8">
        <CircleUser size={17} strokeWidth={1.75} aria-hidden="true" />
        <span className="min-w-0 truncate max-md:sr-only">{name === "" ? "Account" : name}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content align="end" sideOffset={4} collisionPadding={8} className={menuClass}>
        {data?.user.email !== undefined && data.user.email !== null && (
          <DropdownMenu.Label className="px-2.5 py-1.5 text-ink-faint text-xs">{data.user.email}</DropdownMenu.Label>
        )}
        {themes.map((key) => (
          <ThemeItem key={key} theme={key} isChosen={key === theme} onChoose={choose} />
        ))}
        <DropdownMenu.Separator className="my-1 h-px bg-line md:hidden" />
        <DropdownMenu.Item asChild>
          <Link to="/$prefix/settings" params={{ prefix: issuePrefix }} className={`${menuItemClass} md:hidden`}>
            <Settings size={15} aria-hidden="true" />
            Settings
          </Link>
        </DropdownMenu.Item>
        {data?.session !== null && data?.session !== undefined && <Account prefix={issuePrefix} />}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

interface ThemeChoice {
  readonly theme: Theme;
  readonly isChosen: boolean;
  readonly onChoose: (theme: Theme) => void;
}

function ThemeItem({ theme, isChosen, onChoose }: ThemeChoice): ReactNode {
  const [words, Icon] = looks[theme];
  return (
    <DropdownMenu.CheckboxItem checked={isChosen} onSelect={() => onChoose(theme)} className={menuItemClass}>
      <Icon size={15} aria-hidden="true" />
      <span className="flex-1">{words}</span>
      {isChosen && <Check size={14} aria-hidden="true" />}
    </DropdownMenu.CheckboxItem>
  );
}

function Account({ prefix }: { readonly prefix: string }): ReactNode {
  const queries = useQueryClient();
  const leave = async (): Promise<void> => {
    try {
      await callOperation("auth.signOut", {});
      // Nothing that was read as somebody is left for the next one.
      queries.clear();
      window.location.assign("/");
    } catch {
      toast("You are still signed in: Roster did not answer.");
    }
  };
  return (
    <>
      <DropdownMenu.Separator className="my-1 h-px bg-line" />
      <DropdownMenu.Item asChild>
        <Link to="/$prefix/account" params={{ prefix }} className={menuItemClass}>
          <CircleUser size={15} aria-hidden="true" />
          Your account
        </Link>
      </DropdownMenu.Item>
      <DropdownMenu.Item onSelect={() => void leave()} className={menuItemClass}>
        <LogOut size={15} aria-hidden="true" />
        Sign out
      </DropdownMenu.Item>
    </>
  );
}
