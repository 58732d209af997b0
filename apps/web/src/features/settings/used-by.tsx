import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCompany } from "../../app/company.ts";
import { useAgents } from "../people/names.ts";
import type { Use } from "./uses.ts";

/** The agents that use something, each a way to it. */
export function UsedBy({ uses }: { readonly uses: readonly Use[] }): ReactNode {
  const { issuePrefix } = useCompany();
  const agents = useAgents();
  if (uses.length === 0) return <>used by no agent</>;
  return (
    <>
      used by{" "}
      {uses.map(({ agentId, name }, index) => (
        <span key={agentId}>
          {index > 0 && ", "}
          <Link
            to="/$prefix/agents/$agentKey"
            params={{ prefix: issuePrefix, agentKey: agents.get(agentId)?.urlKey ?? agentId }}
            search={{ tab: "configuration" }}
            className="text-accent underline underline-offset-2"
          >
            {name}
          </Link>
        </span>
      ))}
    </>
  );
}
