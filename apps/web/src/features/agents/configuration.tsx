import type { Agent } from "@roster/client";
import type { ReactNode } from "react";
import { useMay } from "../../app/may.ts";
import { Money } from "../../design/measures.tsx";
import { Card, Facts, Section } from "../../design/surface.tsx";
import { AdapterSettings } from "./adapter-settings.tsx";
import { SettingsList } from "./configuration-parts.tsx";
import { RuntimeFields } from "./runtime-fields.tsx";
import type { AgentDraft } from "./use-agent-draft.ts";
import { PermissionFields, WhoFields } from "./who-fields.tsx";

interface Parts {
  readonly agent: Agent;
  readonly drafting: AgentDraft;
  readonly error: unknown;
}

/** Whether somebody may change this agent now: not while its hire is open, and not for good when it is terminated. */
export function useIsEditable({ status }: Agent): boolean {
  const may = useMay("agents.change");
  return may && status !== "terminated" && status !== "pending_approval";
}

/** What makes the agent behave as it does, to be changed in place. Secrets are never shown. */
export function Configuration({ agent, drafting, error }: Parts): ReactNode {
  const isEditable = useIsEditable(agent);
  if (!isEditable) return <AsItIs agent={agent} />;
  return (
    <>
      <Section title="Who it is">
        <Card className="p-5">
          <WhoFields agent={agent} drafting={drafting} error={error} />
        </Card>
      </Section>
      <Section title="What it may">
        <Card className="p-5">
          <PermissionFields drafting={drafting} />
        </Card>
      </Section>
      <Section title="When it runs, and what it may cost">
        <Card className="p-5">
          <RuntimeFields drafting={drafting} error={error} />
        </Card>
      </Section>
      <Section title="How it runs">
        <Card className="p-5">
          <AdapterSettings drafting={drafting} error={error} />
        </Card>
      </Section>
    </>
  );
}

function AsItIs({ agent }: { readonly agent: Agent }): ReactNode {
  const { heartbeat, maxConcurrentRuns } = agent.runtimeConfig;
  return (
    <>
      <Card className="p-5">
        <Facts
          facts={[
            ["Adapter", agent.adapterType],
            ["Revision", agent.revisionNumber],
            ["Timer", heartbeat.enabled ? `every ${heartbeat.intervalSec ?? 0} s` : "Off"],
            ["Runs at a time", maxConcurrentRuns],
            [
              "Budget",
              agent.budgetMonthlyCents === 0 ? "No limit" : <Money key="m" cents={agent.budgetMonthlyCents} />,
            ],
          ]}
        />
      </Card>
      <Section title="Settings">
        <SettingsList settings={agent.adapterConfig} />
      </Section>
    </>
  );
}
