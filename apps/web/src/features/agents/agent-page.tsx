import type { Agent } from "@roster/client";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAsk, usePages } from "../../api/queries.ts";
import { useReadableAddress } from "../../app/canonical.ts";
import { useCompany } from "../../app/company.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Face } from "../../design/face.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { PageHead, Rows, Waiting } from "../../design/surface.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { RunRow } from "../runs/run-row.tsx";
import { AgentActions } from "./agent-actions.tsx";
import { AgentKeyList } from "./agent-key-list.tsx";
import { AgentNow } from "./agent-now.tsx";
import { AgentSkillList } from "./agent-skills.tsx";
import { Configuration } from "./configuration.tsx";
import { Instructions } from "./instructions.tsx";
import { Revisions } from "./revisions.tsx";
import { SaveBar, useSaving } from "./save-bar.tsx";
import { useAgentDraft } from "./use-agent-draft.ts";

const from = "/$prefix/agents/$agentKey";

/** One agent: whether it works now and why not, what it did, what makes it behave as it does. */
export function AgentPage(): ReactNode {
  const { id } = useCompany();
  const { agentKey } = useParams({ from });
  const { data: agent, error } = useAsk("agents.get", { params: { agentId: agentKey }, query: { companyId: id } });
  useReadableAddress(agentKey, agent?.urlKey);
  if (agent === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  return (
    <>
      <AgentHead agent={agent} />
      <AgentTabs key={agent.id} agent={agent} />
    </>
  );
}

function AgentHead({ agent }: { readonly agent: Agent }): ReactNode {
  const { issuePrefix } = useCompany();
  return (
    <PageHead
      name={agent.name}
      above={
        <Link to="/$prefix/agents" params={{ prefix: issuePrefix }} search={{}} className="hover:underline">
          Agents
        </Link>
      }
      title={
        <span className="flex items-center gap-3.5">
          <Face icon={agent.icon} size="large" />
          <span className="flex min-w-0 flex-col">
            <span className="flex flex-wrap items-center gap-2">
              {agent.name} <StateBadge state={agent.status} />
            </span>
            <span className="font-normal text-base text-ink-soft tracking-normal">{agent.title ?? agent.role}</span>
          </span>
        </span>
      }
      aside={<AgentActions agent={agent} />}
    />
  );
}

/** What is typed on one tab stays when one looks at another. */
function AgentTabs({ agent }: { readonly agent: Agent }): ReactNode {
  const { tab = "now" } = useSearch({ from });
  const navigate = useNavigate({ from });
  const drafting = useAgentDraft(agent);
  const saving = useSaving(drafting);
  const edited = { agent, drafting, error: saving.error };
  const tabs = [
    { key: "now", label: "Now", content: <AgentNow agent={agent} /> },
    { key: "runs", label: "Runs", content: <Runs agentId={agent.id} /> },
    { key: "configuration", label: "Configuration", content: <Configuration {...edited} /> },
    { key: "instructions", label: "Instructions", content: <Instructions {...edited} /> },
    { key: "skills", label: "Skills", content: <AgentSkillList agent={agent} /> },
    { key: "keys", label: "Keys", content: <AgentKeyList agent={agent} /> },
    { key: "revisions", label: "Revisions", content: <Revisions agent={agent} /> },
  ] as const;
  const choose = (chosen: string): void => {
    const key = tabs.find((known) => known.key === chosen)?.key ?? "now";
    void navigate({ search: key === "now" ? {} : { tab: key }, replace: true });
  };
  return (
    <>
      <Tabs label={agent.name} tabs={tabs} chosen={tab} onChoose={choose} />
      <SaveBar agent={agent} drafting={drafting} saving={saving} />
    </>
  );
}

function Runs({ agentId }: { readonly agentId: string }): ReactNode {
  const { id } = useCompany();
  const { items, query } = usePages("runs.list", { params: { companyId: id }, query: { agentId } });
  return (
    <>
      {items.length === 0 && !query.isPending && <p className="text-ink-soft">It has not run yet.</p>}
      {items.length > 0 && (
        <Rows label="Runs">
          {items.map((run) => (
            <RunRow key={run.id} run={run} withFace={false} />
          ))}
        </Rows>
      )}
      <MoreButton query={query} />
    </>
  );
}
