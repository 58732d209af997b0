import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useDraft } from "../../app/draft.ts";
import { Button } from "../../design/button.tsx";
import { Select, TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { Card, PageHead } from "../../design/surface.tsx";
import { useAgents } from "../people/names.ts";
import { AdapterFields, settingsOf } from "./adapter-fields.tsx";
import { BudgetField } from "./budget-field.tsx";
import { centsOf } from "./dollars.ts";

const blank = { name: "", role: "general", title: "", reportsTo: "", budget: "0", type: "claude_local", setting: "" };

/** Asks for a new agent; then shows what the board is asked, or the agent where no approval is needed. */
export function HirePage(): ReactNode {
  const company = useCompany();
  const navigate = useNavigate();
  const [form, setForm] = useState(blank);
  const [instructions, setInstructions] = useDraft(`hire ${company.id}`);
  const hire = useCommand("hires.request", ({ agent, approval }) => {
    setInstructions("");
    const prefix = company.issuePrefix;
    if (approval === null) {
      void navigate({ to: "/$prefix/agents/$agentKey", params: { prefix, agentKey: agent.urlKey }, search: {} });
    } else void navigate({ to: "/$prefix/approvals/$approvalId", params: { prefix, approvalId: approval.id } });
  });
  const cents = centsOf(form.budget);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (cents === null) return;
    const body = {
      name: form.name,
      role: form.role,
      title: form.title.trim() === "" ? null : form.title,
      reportsTo: form.reportsTo === "" ? null : form.reportsTo,
      budgetMonthlyCents: cents,
      adapterType: form.type,
      adapterConfig: settingsOf(form),
      instructionsBundle: instructions.trim() === "" ? null : { files: { "AGENTS.md": instructions } },
    };
    hire.mutate({ params: { companyId: company.id }, body });
  };
  return (
    <>
      <PageHead title="Hire an agent">
        <p className="text-ink-soft">You see the whole proposal once more before it is decided.</p>
      </PageHead>
      <Card className="p-5">
        <form onSubmit={submit} className="flex flex-col gap-4">
          <WhoFields form={form} error={hire.error} onChange={setForm} />
          <AdapterFields choice={form} error={hire.error} onChoose={(choice) => setForm({ ...form, ...choice })} />
          <TextArea
            label="Instructions"
            hint="What it is here for and how it works, in markdown"
            className="min-h-40"
            value={instructions}
            wrong={wrongAt(hire.error, "instructionsBundle")}
            onChange={({ target }) => setInstructions(target.value)}
          />
          <Refusal error={hire.error} saidAt={[...Object.keys(blank), "adapterType", "instructionsBundle"]} />
          <Button type="submit" look="primary" className="self-end" busy={hire.isPending}>
            Propose the hire
          </Button>
        </form>
      </Card>
    </>
  );
}

type Form = typeof blank;
interface WhoParts {
  readonly form: Form;
  readonly error: unknown;
  readonly onChange: (form: Form) => void;
}

function WhoFields({ form, error, onChange }: WhoParts): ReactNode {
  const agents = [...useAgents().values()].filter(({ status }) => status !== "terminated");
  const field = (name: keyof Form) => ({
    value: form[name],
    wrong: wrongAt(error, name),
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...form, [name]: target.value }),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label="Name" required {...field("name")} />
      <TextField label="Role" hint="A word, such as engineer" required {...field("role")} />
      <TextField label="Title" hint="What people read; may stay empty" {...field("title")} />
      <Select label="Reports to" {...field("reportsTo")}>
        <option value="">Nobody</option>
        {agents.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <BudgetField value={form.budget} error={error} onType={(budget) => onChange({ ...form, budget })} />
    </div>
  );
}
