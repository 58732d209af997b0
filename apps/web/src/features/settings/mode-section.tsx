import type { ReactNode } from "react";
import { useAsk } from "../../api/queries.ts";
import { Refusal } from "../../design/refusal.tsx";
import { Card, Facts, Section, Waiting } from "../../design/surface.tsx";

const modes = {
  local_trusted: [
    "Local, trusted",
    "Every process of this machine is the board: nobody signs in, and no other machine gets in. It keeps mistakes apart, not an agent that leaves its credential off.",
  ],
  authenticated: [
    "Authenticated",
    "People sign in, agents and runners show a credential, and each may do what its role allows.",
  ],
} as const;

/** How this deployment tells who is who. It is decided where it is started. */
export function ModeSection(): ReactNode {
  const { data, error } = useAsk("service.health", {});
  if (data === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  const [name, meaning] = modes[data.mode];
  const other = data.mode === "local_trusted" ? "authenticated" : "local_trusted";
  return (
    <Section title="Mode">
      <Card className="flex flex-col gap-4 p-5">
        <p className="max-w-prose">{meaning}</p>
        <Facts
          facts={[
            ["Mode", name],
            ["Trusted", data.trust === "machine" ? "This machine" : "Whoever signed in"],
            ["Version", data.version],
          ]}
        />
        <p className="max-w-prose text-ink-soft text-sm">
          It changes where Roster is started: <code className="font-mono text-xs">SERVICE_MODE={other}</code>. Going
          from local to authenticated keeps everything; the first operator becomes owner of every company.
        </p>
      </Card>
    </Section>
  );
}
