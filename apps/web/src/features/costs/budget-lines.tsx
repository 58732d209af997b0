import type { Agent, Company } from "@roster/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { Button } from "../../design/button.tsx";
import { Rows, Section } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { useAgents } from "../people/names.ts";
import { BudgetLine } from "./budget-line.tsx";

/** What may be spent this month, by the company and by each agent. */
export function BudgetLines(): ReactNode {
  const company = useCompany();
  const [showsAll, setShowsAll] = useState(false);
  const agents = [...useAgents().values()]
    .filter(({ status }) => status !== "terminated" && status !== "pending_approval")
    .sort((one, other) => other.spentMonthlyCents - one.spentMonthlyCents || one.name.localeCompare(other.name));
  const told = agents.filter(({ budgetMonthlyCents, spentMonthlyCents }) => budgetMonthlyCents + spentMonthlyCents > 0);
  const shown = showsAll ? agents : told;
  return (
    <Section title="Budgets of this month">
      <Rows label="Budgets">
        <CompanyBudget company={company} />
        {shown.map((agent) => (
          <AgentBudget key={agent.id} agent={agent} />
        ))}
      </Rows>
      {shown.length < agents.length && (
        <Button className="self-center" onClick={() => setShowsAll(true)}>
          Show the agents without a limit
        </Button>
      )}
    </Section>
  );
}

function CompanyBudget({ company }: { readonly company: Company }): ReactNode {
  const may = useMay("companies.change");
  const change = useCommand("companies.change", () => toast("The budget of the company is changed"));
  const params = { companyId: company.id };
  return (
    <BudgetLine
      of="the company"
      name="The company"
      spent={company.spentMonthlyCents}
      budget={company.budgetMonthlyCents}
      busy={change.isPending}
      error={change.error}
      onChange={may ? (cents) => change.mutateAsync({ params, body: { budgetMonthlyCents: cents } }) : null}
    />
  );
}

function AgentBudget({ agent }: { readonly agent: Agent }): ReactNode {
  const { issuePrefix } = useCompany();
  const may = useMay("agents.change");
  const change = useCommand("agents.change", () => toast(`The budget of ${agent.name} is changed`));
  const params = { agentId: agent.id };
  const name = (
    <Link
      to="/$prefix/agents/$agentKey"
      params={{ prefix: issuePrefix, agentKey: agent.urlKey }}
      className="hover:underline"
    >
      {agent.name}
    </Link>
  );
  return (
    <BudgetLine
      of={agent.name}
      name={name}
      spent={agent.spentMonthlyCents}
      budget={agent.budgetMonthlyCents}
      busy={change.isPending}
      error={change.error}
      onChange={may ? (cents) => change.mutateAsync({ params, body: { budgetMonthlyCents: cents } }) : null}
    />
  );
}
