import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useAsk } from "../api/queries.ts";
import { useCompany } from "./company.ts";
import { chooseTheme, chosenTheme } from "./theme.ts";

const itemClass =
  "flex h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-sm data-[selected=true]:bg-hover md:h-9";
const groupClass =
  "[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-ink-faint [&_[cmdk-group-heading]]:text-xs";

/** Ctrl/Cmd-K: anywhere, and the common things, by typing. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  useEffect(() => {
    if (ref.current?.open === false) ref.current.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-label="Go to"
      onClose={onClose}
      className="mx-auto mt-[12dvh] w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-lg border border-line bg-raised p-0 shadow-raised"
    >
      <Command label="Go to" loop>
        <Command.Input
          value={typed}
          onValueChange={setTyped}
          placeholder="Go to a page, an agent, an issue…"
          className="h-12 w-full border-line border-b bg-transparent px-4 text-base outline-none placeholder:text-ink-faint"
        />
        <Command.List className="max-h-[50dvh] overflow-auto p-1.5" tabIndex={0}>
          <Command.Empty className="px-3 py-6 text-center text-ink-faint text-sm">
            Nothing is called that.
          </Command.Empty>
          <Pages onClose={onClose} />
          <Agents onClose={onClose} />
          {typed.trim() !== "" && <Issues onClose={onClose} typed={typed.trim()} />}
        </Command.List>
      </Command>
    </dialog>
  );
}

interface PartProps {
  readonly onClose: () => void;
}

/** Goes somewhere, and leaves the palette. */
function useGo(onClose: () => void): (to: string) => void {
  const navigate = useNavigate();
  const { issuePrefix } = useCompany();
  return (to) => {
    onClose();
    void navigate({ href: `/${issuePrefix}${to}` });
  };
}

function Pages({ onClose }: PartProps): ReactNode {
  const go = useGo(onClose);
  const pages = [
    ["Needs you", ""],
    ["Issues", "/issues"],
    ["New issue", "/issues?new=true"],
    ["Agents", "/agents"],
    ["Org chart", "/agents?view=chart"],
    ["Hire an agent", "/hire"],
    ["Approvals", "/approvals"],
    ["Costs", "/costs"],
    ["Activity", "/activity"],
  ] as const;
  const turn = (): void => {
    chooseTheme(chosenTheme() === "dark" ? "light" : "dark");
    onClose();
  };
  return (
    <Command.Group heading="Pages" className={groupClass}>
      {pages.map(([name, to]) => (
        <Command.Item key={name} value={name} onSelect={() => go(to)} className={itemClass}>
          {name}
        </Command.Item>
      ))}
      <Command.Item value="Light or dark" onSelect={turn} className={itemClass}>
        Light or dark
      </Command.Item>
    </Command.Group>
  );
}

function Agents({ onClose }: PartProps): ReactNode {
  const go = useGo(onClose);
  const { id } = useCompany();
  const { data } = useAsk("agents.list", { params: { companyId: id }, query: { limit: 200 } });
  return (
    <Command.Group heading="Agents" className={groupClass}>
      {(data?.items ?? []).map((agent) => (
        <Command.Item
          key={agent.id}
          value={`${agent.name} ${agent.id}`}
          onSelect={() => go(`/agents/${agent.urlKey}`)}
          className={itemClass}
        >
          <span className="flex-1 truncate">{agent.name}</span>
          <span className="text-ink-faint text-xs">{agent.title ?? agent.role}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function Issues({ onClose, typed }: PartProps & { readonly typed: string }): ReactNode {
  const go = useGo(onClose);
  const { id } = useCompany();
  const { data } = useAsk("issues.list", { params: { companyId: id }, query: { q: typed, limit: 8 } });
  return (
    <Command.Group heading="Issues" className={groupClass}>
      {(data?.items ?? []).map((issue) => (
        <Command.Item
          key={issue.id}
          // What the service found is shown, whatever the words of the title are.
          value={`${typed} ${issue.identifier} ${issue.title}`}
          onSelect={() => go(`/issues/${issue.identifier}`)}
          className={itemClass}
        >
          <span className="w-16 shrink-0 text-ink-faint text-xs tabular-nums">{issue.identifier}</span>
          <span className="truncate">{issue.title}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
