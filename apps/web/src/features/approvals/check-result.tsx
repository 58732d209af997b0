import type { AgentCheck } from "@roster/client";
import type { ReactNode } from "react";
import { StateBadge } from "../../design/badge.tsx";
import { Moment } from "../../design/measures.tsx";
import { Section } from "../../design/surface.tsx";

/** Whether a runner found that it could work. */
export function CheckResult({ check }: { readonly check: AgentCheck }): ReactNode {
  return (
    <Section title="Can it work?" aside={<StateBadge state={check.state} />}>
      {check.findings.length === 0 ? (
        <p className="text-ink-soft text-sm">
          {check.checkedAt === null ? (
            "No runner has looked yet."
          ) : (
            <>
              A runner looked and found nothing in the way, <Moment at={check.checkedAt} />.
            </>
          )}
        </p>
      ) : (
        <ul className="flex flex-col gap-1.5 text-sm">
          {check.findings.map(({ severity, message }) => (
            <li key={message} className={severity === "error" ? "text-bad" : "text-warn"}>
              {message}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
