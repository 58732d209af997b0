import { type Issue, versionOf } from "@roster/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { Button } from "../../design/button.tsx";
import { Face } from "../../design/face.tsx";
import { Moment } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";
import { useAgents } from "../people/names.ts";

/** Who works on an issue at the moment, in which run, and the way to take it away. */
export function IssueCheckout({ issue }: { readonly issue: Issue }): ReactNode {
  const { issuePrefix: prefix } = useCompany();
  const agents = useAgents();
  const may = useMay("issues.release");
  const release = useCommand("issues.release", () => toast("Released"));
  const { checkout } = issue;
  if (checkout === null) return null;
  const agent = agents.get(checkout.agentId);
  return (
    <section
      aria-label="Checkout"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-accent-soft px-4 py-2.5"
    >
      <Face icon={agent?.icon ?? null} size="small" />
      <p className="min-w-48 flex-1">
        <span className="font-medium">{agent?.name ?? "An agent"}</span> works on it since <Moment at={checkout.at} />
        {checkout.runId !== null && (
          <>
            {" "}
            ·{" "}
            <Link
              to="/$prefix/runs/$runId"
              params={{ prefix, runId: checkout.runId }}
              search={{}}
              className="text-accent-strong underline"
            >
              its run
            </Link>
          </>
        )}
      </p>
      {may && (
        <Button
          busy={release.isPending}
          onClick={() => release.mutate({ params: { issueId: issue.id }, ifMatch: versionOf(issue) })}
        >
          Release
        </Button>
      )}
      {release.error !== null && (
        <div className="w-full">
          <Refusal error={release.error} />
        </div>
      )}
    </section>
  );
}
