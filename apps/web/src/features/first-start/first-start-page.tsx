import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useRef } from "react";
import { useFormDraft } from "../../app/draft.ts";
import { Button } from "../../design/button.tsx";
import { TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { Card } from "../../design/surface.tsx";
import { AdapterFields, settingsOf } from "../agents/adapter-fields.tsx";
import { proposedAdapter } from "../agents/offered-adapters.ts";
import { useAdapters } from "../agents/use-adapters.ts";
import { DemoCard } from "./demo-card.tsx";
import { type Founding, foundCompany, nothingFounded, sampleAgent } from "./found-company.ts";

/** Without a type it is the one that is proposed. */
const blank = { name: "", goal: "", agentName: "Ada", type: "", setting: "" };

const sample = {
  type: sampleAgent,
  title: "Sample agent",
  description: "A small script that works as agents do: it asks you for a hire and closes its issue. Needs no account.",
};

/** From nothing to an agent at work: a company, its goal, its first agent; or a company to look at. */
export function FirstStartPage(): ReactNode {
  return (
    <main className="mx-auto flex min-h-dvh max-w-xl flex-col justify-center gap-6 px-4 py-10">
      <header className="flex flex-col gap-2">
        <h1 className="font-semibold text-2xl tracking-tight">Start a company of agents</h1>
        <p className="text-ink-soft">
          Say what it is to reach and who begins. The first agent gets the goal as its first issue, and starts at once.
          Whom it wants to hire, you decide.
        </p>
      </header>
      <DemoCard />
      <FoundingForm />
    </main>
  );
}

function FoundingForm(): ReactNode {
  const [form, setForm] = useFormDraft("first start", blank);
  const done = useRef(nothingFounded());
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { adapters } = useAdapters();
  const choice = { type: form.type || (proposedAdapter(adapters) ?? sampleAgent), setting: form.setting };
  const founding = useMutation({
    mutationFn: (said: Founding) => foundCompany(said, done.current),
    onSuccess: async ({ prefix, identifier }) => {
      setForm(null);
      await queries.invalidateQueries();
      await navigate({ to: "/$prefix/issues/$identifier", params: { prefix, identifier } });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { name, goal, agentName } = form;
    founding.mutate({ name, goal, agentName, adapterType: choice.type, adapterConfig: settingsOf(choice) });
  };
  return (
    <Card className="p-6">
      <form onSubmit={submit} className="flex flex-col gap-5">
        <CompanyFields form={form} isMade={done.current.company !== null} error={founding.error} onChange={setForm} />
        <TextField
          label="First agent"
          required
          value={form.agentName}
          onChange={({ target }) => setForm({ ...form, agentName: target.value })}
        />
        <AdapterFields
          choice={choice}
          error={founding.error}
          more={sample}
          onChoose={(chosen) => setForm({ ...form, ...chosen })}
        />
        <Refusal
          error={founding.error}
          saidAt={["name", "goal", "adapterType", "adapterConfig.command", "adapterConfig.url"]}
        />
        <Button type="submit" look="primary" busy={founding.isPending}>
          {founding.isPending ? "Starting…" : "Start"}
        </Button>
      </form>
    </Card>
  );
}

interface CompanyParts {
  readonly form: typeof blank;
  /** The company is there already: what it is called is no longer decided here. */
  readonly isMade: boolean;
  readonly error: unknown;
  readonly onChange: (form: typeof blank) => void;
}

function CompanyFields({ form, isMade, error, onChange }: CompanyParts): ReactNode {
  return (
    <>
      <TextField
        label="Company"
        required
        autoFocus
        disabled={isMade}
        value={form.name}
        wrong={wrongAt(error, "name")}
        onChange={({ target }) => onChange({ ...form, name: target.value })}
      />
      <TextArea
        label="Goal"
        hint="What is it for? Every agent is told."
        required
        disabled={isMade}
        value={form.goal}
        wrong={wrongAt(error, "goal")}
        onChange={({ target }) => onChange({ ...form, goal: target.value })}
      />
    </>
  );
}
