import { useNavigate } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import type { FormEvent, ReactNode } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useFormDraft } from "../../app/draft.ts";
import { useMay } from "../../app/may.ts";
import { Button } from "../../design/button.tsx";
import { Select, TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { Card, EmptyState, PageHead } from "../../design/surface.tsx";
import { useAgents } from "../people/names.ts";
import { type AdapterChoice, AdapterFields, settingsOf } from "./adapter-fields.tsx";
import { BudgetField } from "./budget-field.tsx";
import { centsOf } from "./dollars.ts";
import { proposedAdapter } from "./offered-adapters.ts";
import { useAdapters } from "./use-adapters.ts";

/** Without a type it is the one that is proposed. */
const blank = {
  name: "",
  role: "general",
  title: "",
  reportsTo: "",
  budget: "0",
  type: "",
  setting: "",
  instructions: "",
};

const saidAt = [
  ...Object.keys(blank),
  "adapterType",
  "instructionsBundle",
  "adapterConfig.command",
  "adapterConfig.url",
];

/** Asks for a new agent; who may not hire is told. */
export function HirePage(): ReactNode {
  return useMay("hires.request") ? <Hire /> : <MayNotHire />;
}

function MayNotHire(): ReactNode {
  return (
    <>
      <PageHead title="Hire an agent" />
      <EmptyState icon={<UserPlus />} title="You may not hire here">
        Who may has the role operator or a stronger one; an admin of the company gives it.
      </EmptyState>
    </>
  );
}

/** Then shows what the board is asked, or the agent where no approval is needed. */
function Hire(): ReactNode {
  const company = useCompany();
  const navigate = useNavigate();
  const [form, setForm] = useFormDraft(`hire ${company.id}`, blank);
  const { adapters } = useAdapters();
  const choice = {
    type: form.type || (proposedAdapter(adapters) ?? adapters[0]?.type ?? "process"),
    setting: form.setting,
  };
  const hire = useCommand("hires.request", ({ agent, approval }) => {
    setForm(null);
    const prefix = company.issuePrefix;
    if (approval === null) {
      void navigate({ to: "/$prefix/agents/$agentKey", params: { prefix, agentKey: agent.urlKey }, search: {} });
    } else void navigate({ to: "/$prefix/approvals/$approvalId", params: { prefix, approvalId: approval.id } });
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = proposalOf(form, choice);
    if (body !== null) hire.mutate({ params: { companyId: company.id }, body });
  };
  return (
    <>
      <PageHead title="Hire an agent">
        <p className="text-ink-soft">You see the whole proposal once more before it is decided.</p>
      </PageHead>
      <Card className="p-5">
        <form onSubmit={submit} className="flex flex-col gap-5">
          <WhoFields form={form} error={hire.error} onChange={setForm} />
          <TextArea
            label="Instructions"
            hint="What it is here for and how it works, in markdown"
            className="min-h-40"
            value={form.instructions}
            wrong={wrongAt(hire.error, "instructionsBundle")}
            onChange={({ target }) => setForm({ ...form, instructions: target.value })}
          />
          <AdapterFields choice={choice} error={hire.error} onChoose={(chosen) => setForm({ ...form, ...chosen })} />
          <Refusal error={hire.error} saidAt={saidAt} />
          <Button type="submit" look="primary" className="self-end" busy={hire.isPending}>
            Propose the hire
          </Button>
        </form>
      </Card>
    </>
  );
}

/** What is asked for; null while its budget cannot be read. */
function proposalOf(form: Form, choice: AdapterChoice) {
  const cents = centsOf(form.budget);
  if (cents === null) return null;
  const { name, role, title, reportsTo, instructions } = form;
  return {
    name,
    role,
    title: title.trim() === "" ? null : title,
    reportsTo: reportsTo === "" ? null : reportsTo,
    budgetMonthlyCents: cents,
    adapterType: choice.type,
    adapterConfig: settingsOf(choice),
    instructionsBundle: instructions.trim() === "" ? null : { files: { "AGENTS.md": instructions } },
  };
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
