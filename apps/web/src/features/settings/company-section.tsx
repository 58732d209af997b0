import { type Company, isRefused, versionOf } from "@roster/client";
import type { FormEvent, ReactNode } from "react";
import { useAsk, useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useKept } from "../../app/draft.ts";
import { useMay } from "../../app/may.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Checkbox } from "../../design/checkbox.tsx";
import { TextArea, TextField } from "../../design/field.tsx";
import { Money } from "../../design/measures.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { Card, Facts, Section, Waiting } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { BudgetField } from "../agents/budget-field.tsx";
import { type CompanyForm, changeOf, daysOf, formOf } from "./company-form.ts";
import { CompanyState } from "./company-state.tsx";

/** What a company is called, is for, may spend and allows; and whether it works. */
export function CompanySection(): ReactNode {
  const { id } = useCompany();
  const { data, error } = useAsk("companies.get", { params: { companyId: id } });
  const may = useMay("companies.change");
  if (data === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  const isOpen = may && data.status !== "archived";
  return (
    <>
      <Section title="Company" aside={<StateBadge state={data.status} />}>
        <Card className="p-5">{isOpen ? <EditCompany company={data} /> : <CompanyFacts company={data} />}</Card>
      </Section>
      {may && <CompanyState company={data} />}
    </>
  );
}

const yesOrNo = (is: boolean): string => (is ? "Yes" : "No");

function CompanyFacts({ company }: { readonly company: Company }): ReactNode {
  const { budgetMonthlyCents: budget, runOutputDays: days } = company;
  return (
    <Facts
      facts={[
        ["Name", company.name],
        ["Prefix of issues", company.issuePrefix],
        ["Goal", company.goal ?? "None"],
        ["Description", company.description ?? "None"],
        ["Budget a month", budget === 0 ? "No limit" : <Money key="b" cents={budget} />],
        ["Run output", days === null ? "Kept as long as the deployment says" : `Kept for ${days} days`],
        ["New agents need approval", yesOrNo(company.requireBoardApprovalForNewAgents)],
        ["Agents make keys of their own", yesOrNo(company.agentsMayCreateKeys)],
      ]}
    />
  );
}

const saidAt = ["name", "goal", "description", "budgetMonthlyCents", "runOutputDays"];

/** What was edited, and the version of the company that was there at the first edit; the rest is as others make it. */
interface Edited {
  readonly edits: Partial<CompanyForm>;
  readonly version: number;
}

function EditCompany({ company }: { readonly company: Company }): ReactNode {
  const [kept, keep] = useKept<Edited>(`company ${company.id}`);
  const edits = kept?.edits ?? {};
  const change = useCommand("companies.change", () => {
    keep(null);
    toast("Saved");
  });
  const form = { ...formOf(company), ...edits };
  const body = changeOf(edits);
  const version = kept?.version ?? versionOf(company);
  const edit = (part: Partial<CompanyForm>): void => keep({ edits: { ...edits, ...part }, version });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (body === null) return;
    change.mutate({ params: { companyId: company.id }, body, ifMatch: version });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <CompanyFields form={form} prefix={company.issuePrefix} error={change.error} onEdit={edit} />
      <Refusal error={change.error} saidAt={saidAt}>
        {isRefused(change.error, "stale_revision") && (
          <Button
            className="self-start"
            onClick={() => {
              keep({ edits, version: versionOf(company) });
              change.reset();
            }}
          >
            Keep what I wrote, over what is there now
          </Button>
        )}
      </Refusal>
      <div className="flex justify-end gap-2">
        {kept !== null && (
          <Button
            look="quiet"
            onClick={() => {
              keep(null);
              change.reset();
            }}
          >
            Undo
          </Button>
        )}
        <Button type="submit" look="primary" busy={change.isPending} disabled={kept === null}>
          Save
        </Button>
      </div>
    </form>
  );
}

interface FieldsParts {
  readonly form: CompanyForm;
  readonly prefix: string;
  readonly error: unknown;
  readonly onEdit: (part: Partial<CompanyForm>) => void;
}

function CompanyFields({ form, prefix, error, onEdit }: FieldsParts): ReactNode {
  return (
    <>
      <TextField
        label="Name"
        required
        value={form.name}
        hint={`Issues are numbered ${prefix}-1, ${prefix}-2 and so on; that stays.`}
        wrong={wrongAt(error, "name")}
        onChange={({ target }) => onEdit({ name: target.value })}
      />
      <TextArea
        label="Goal"
        hint="Every agent reads it"
        value={form.goal}
        wrong={wrongAt(error, "goal")}
        onChange={({ target }) => onEdit({ goal: target.value })}
      />
      <TextArea
        label="Description"
        value={form.description}
        wrong={wrongAt(error, "description")}
        onChange={({ target }) => onEdit({ description: target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <BudgetField value={form.budget} error={error} onType={(budget) => onEdit({ budget })} />
        <TextField
          label="Days that the output of runs is kept"
          inputMode="numeric"
          placeholder="As long as the deployment says"
          value={form.outputDays}
          hint="1 to 3650; the deployment decides where nothing is said"
          wrong={daysOf(form.outputDays) === undefined ? "A number such as 30" : wrongAt(error, "runOutputDays")}
          onChange={({ target }) => onEdit({ outputDays: target.value })}
        />
      </div>
      <Checkbox
        label="New agents need approval"
        hint="Whom agents want to hire, a person decides about."
        checked={form.requiresApproval}
        onChange={({ target }) => onEdit({ requiresApproval: target.checked })}
      />
      <Checkbox
        label="Agents may make keys of their own"
        hint="For programs that speak to Roster outside of a run."
        checked={form.agentsMayCreateKeys}
        onChange={({ target }) => onEdit({ agentsMayCreateKeys: target.checked })}
      />
    </>
  );
}
