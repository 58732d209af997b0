import type { Issue } from "@roster/client";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { type ReactNode, useState } from "react";
import type { OperationName } from "../api/operations.ts";
import { useAsk } from "../api/queries.ts";
import { subjectOf } from "../features/approvals/subject.ts";
import { useAgents } from "../features/people/names.ts";
import { sections } from "../features/settings/sections.ts";
import { CommandFrame, commandItemClass } from "./command-frame.tsx";
import { useCompany } from "./company.ts";
import { useStanding } from "./may.ts";
import { mayCall } from "./may-call.ts";
import { PaletteDeeds } from "./palette-deeds.tsx";

const groupClass =
  "[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-ink-faint [&_[cmdk-group-heading]]:text-xs";

/** Ctrl/Cmd-K: anywhere, and the common things, by typing. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState("");
  const words = typed.trim();
  const { id } = useCompany();
  const query = { q: words.slice(0, 200), limit: 8 };
  const { data, isPending } = useAsk("issues.list", words === "" ? null : { params: { companyId: id }, query });
  return (
    <CommandFrame label="Go to" placeholder="Go to a page, an agent, an issue…" onClose={onClose} onType={setTyped}>
      <Command.Empty className="px-3 py-6 text-center text-ink-faint text-sm">Nothing is called that.</Command.Empty>
      <Pages onClose={onClose} />
      <Agents onClose={onClose} />
      {words !== "" && (
        <>
          <Issues onClose={onClose} typed={words} issues={data?.items ?? []} />
          {/* What comes first is chosen by Enter, so issues are waited for. */}
          {!isPending && <Approvals onClose={onClose} />}
          {!isPending && <Runs onClose={onClose} />}
          <Command.Group heading="Do" className={groupClass}>
            <PaletteDeeds onClose={onClose} />
          </Command.Group>
        </>
      )}
    </CommandFrame>
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

/** Pages, and what one has to be allowed for the page to be of use. */
const pages: readonly (readonly [name: string, to: string, needs?: OperationName])[] = [
  ["Needs you", ""],
  ["Issues", "/issues"],
  ["New issue", "/issues?new=true", "issues.create"],
  ["Agents", "/agents"],
  ["Org chart", "/agents?view=chart"],
  ["Hire an agent", "/hire", "hires.request"],
  ["Approvals", "/approvals"],
  ["Costs", "/costs"],
  ["Activity", "/activity"],
  ...sections.map(
    ([key, name]) =>
      [`Settings: ${name}`, `/settings/${key}`, key === "runners" ? "fleet.list" : "companies.get"] as const,
  ),
  ["Your account", "/account"],
];

function Pages({ onClose }: PartProps): ReactNode {
  const go = useGo(onClose);
  const standing = useStanding();
  const shown = pages.filter(([, , needs]) => needs === undefined || mayCall(needs, standing));
  return (
    <Command.Group heading="Pages" className={groupClass}>
      {shown.map(([name, to]) => (
        <Command.Item key={name} value={name} onSelect={() => go(to)} className={commandItemClass}>
          {name}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function Agents({ onClose }: PartProps): ReactNode {
  const go = useGo(onClose);
  const agents = useAgents();
  return (
    <Command.Group heading="Agents" className={groupClass}>
      {[...agents.values()].map((agent) => (
        <Command.Item
          key={agent.id}
          value={`${agent.name} ${agent.id}`}
          onSelect={() => go(`/agents/${agent.urlKey}`)}
          className={commandItemClass}
        >
          <span className="flex-1 truncate">{agent.name}</span>
          <span className="text-ink-faint text-xs">{agent.title ?? agent.role}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

interface IssuesProps extends PartProps {
  readonly typed: string;
  readonly issues: readonly Issue[];
}

function Issues({ onClose, typed, issues }: IssuesProps): ReactNode {
  const go = useGo(onClose);
  return (
    <Command.Group heading="Issues" className={groupClass}>
      {issues.map((issue) => (
        <Command.Item
          key={issue.id}
          // What the service found is shown, whatever the words of the title are.
          value={`${typed} ${issue.identifier} ${issue.title}`}
          onSelect={() => go(`/issues/${issue.identifier}`)}
          className={commandItemClass}
        >
          <span className="w-16 shrink-0 text-ink-faint text-xs tabular-nums">{issue.identifier}</span>
          <span className="truncate">{issue.title}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function Approvals({ onClose }: PartProps): ReactNode {
  const go = useGo(onClose);
  const { id } = useCompany();
  const { data } = useAsk("approvals.list", { params: { companyId: id }, query: { limit: 100 } });
  return (
    <Command.Group heading="Approvals" className={groupClass}>
      {(data?.items ?? []).map((approval) => (
        <Command.Item
          key={approval.id}
          value={`${subjectOf(approval)} ${approval.id}`}
          onSelect={() => go(`/approvals/${approval.id}`)}
          className={commandItemClass}
        >
          <span className="flex-1 truncate">{subjectOf(approval)}</span>
          <span className="text-ink-faint text-xs">{approval.status.replaceAll("_", " ")}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function Runs({ onClose }: PartProps): ReactNode {
  const go = useGo(onClose);
  const { id } = useCompany();
  const agents = useAgents();
  const { data } = useAsk("runs.list", { params: { companyId: id }, query: { limit: 50 } });
  return (
    <Command.Group heading="Latest runs" className={groupClass}>
      {(data?.items ?? []).map((run) => {
        const name = agents.get(run.agentId)?.name ?? "An agent";
        const reason = run.wakes.at(-1)?.reason ?? "";
        return (
          <Command.Item
            key={run.id}
            value={`Run of ${name} ${reason} ${run.id}`}
            onSelect={() => go(`/runs/${run.id}`)}
            className={commandItemClass}
          >
            <span className="flex-1 truncate">
              Run of {name}: {reason}
            </span>
            <span className="text-ink-faint text-xs">{run.status.replaceAll("_", " ")}</span>
          </Command.Item>
        );
      })}
    </Command.Group>
  );
}
