import type { Company } from "@roster/client";
import { type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, Section } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";

type Asked = "pause" | "archive";

const said = {
  active: "It works: agents are woken and run.",
  paused: "It is paused: nothing runs, and what is queued waits until it is resumed.",
  archived: "It is archived: it can be read, and nothing in it changes until it is resumed.",
} as const;

/** Whether a company works, and what can be done about that. */
export function CompanyState({ company }: { readonly company: Company }): ReactNode {
  const params = { companyId: company.id };
  const [asked, ask] = useState<Asked | null>(null);
  const resume = useCommand("companies.resume", () => toast("Resumed"));
  const { status } = company;
  return (
    <Section title="Whether it works">
      <Card className="flex flex-col gap-4 p-5">
        <p className="text-ink-soft text-sm">{said[status]}</p>
        <Refusal error={resume.error} />
        <div className="flex flex-wrap gap-2">
          {status === "active" && <Button onClick={() => ask("pause")}>Pause the company</Button>}
          {status !== "active" && (
            <Button look="primary" busy={resume.isPending} onClick={() => resume.mutate({ params })}>
              Resume the company
            </Button>
          )}
          {status !== "archived" && (
            <Button look="danger" onClick={() => ask("archive")}>
              Archive the company
            </Button>
          )}
        </div>
      </Card>
      {asked !== null && <AskToStop asked={asked} company={company} onClose={() => ask(null)} />}
    </Section>
  );
}

const questions = {
  pause: {
    title: "Pause",
    verb: "Pause the company",
    effect: "Running runs end, and no other starts. What is queued waits. Resuming it lets all go on.",
  },
  archive: {
    title: "Archive",
    verb: "Archive the company",
    effect: "Its runs end, and nothing in it changes any more, for people and agents. It stays to be read.",
  },
} as const;

function AskToStop({
  asked,
  company,
  onClose,
}: {
  readonly asked: Asked;
  readonly company: Company;
  readonly onClose: () => void;
}): ReactNode {
  const pause = useCommand("companies.pause", onClose);
  const archive = useCommand("companies.archive", onClose);
  const command = asked === "pause" ? pause : archive;
  const { title, verb, effect } = questions[asked];
  return (
    <Confirm
      title={`${title} ${company.name}?`}
      verb={verb}
      busy={command.isPending}
      error={command.error}
      onConfirm={() => command.mutate({ params: { companyId: company.id } })}
      onClose={onClose}
    >
      {effect}
    </Confirm>
  );
}
