import type { Agent } from "@roster/client";
import { type ReactNode, useState } from "react";
import { useAsk } from "../../api/queries.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Money } from "../../design/measures.tsx";
import { Card, Facts, Section } from "../../design/surface.tsx";
import { InstructionFiles, SettingsList } from "./configuration-parts.tsx";
import { EditAgent } from "./edit-agent.tsx";

/** What makes the agent behave as it does. Secrets are never shown. */
export function Configuration({ agent }: { readonly agent: Agent }): ReactNode {
  const [isEditing, setEditing] = useState(false);
  const { heartbeat } = agent.runtimeConfig;
  return (
    <>
      <Card className="p-5">
        <Facts
          facts={[
            ["Adapter", agent.adapterType],
            ["Revision", agent.revisionNumber],
            ["Timer", heartbeat.enabled ? `every ${heartbeat.intervalSec ?? 0} s` : "Off"],
            ["Runs at a time", agent.runtimeConfig.maxConcurrentRuns],
            [
              "Budget",
              agent.budgetMonthlyCents === 0 ? "No limit" : <Money key="m" cents={agent.budgetMonthlyCents} />,
            ],
          ]}
        />
        {agent.status !== "terminated" && agent.status !== "pending_approval" && (
          <div className="mt-4 flex justify-end">
            <Button onClick={() => setEditing(true)}>Change</Button>
          </div>
        )}
      </Card>
      {agent.instructionsBundle !== null && (
        <Section title="Instructions">
          <InstructionFiles bundle={agent.instructionsBundle} />
        </Section>
      )}
      <Skills agentId={agent.id} />
      <Section title="Settings">
        <SettingsList settings={agent.adapterConfig} />
      </Section>
      {isEditing && <EditAgent agent={agent} onClose={() => setEditing(false)} />}
    </>
  );
}

const tones = { synced: "good", drifted: "warn", missing: "bad" } as const;

function Skills({ agentId }: { readonly agentId: string }): ReactNode {
  const { data } = useAsk("configurations.getSkills", { params: { agentId } });
  if (data === undefined || data.skills.length === 0) return null;
  return (
    <Section title="Skills">
      <ul className="flex flex-col gap-2">
        {data.skills.map(({ key, contentHash, state }) => (
          <li key={key} className="flex items-center gap-3 text-sm">
            <span className="font-medium">{key}</span>
            <code className="font-mono text-ink-faint text-xs">{contentHash.slice(0, 12)}</code>
            <Badge tone={tones[state]}>{state}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  );
}
