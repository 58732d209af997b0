import { agentIcons, agentStatuses, approvalStatuses, issueStatuses, runStatuses } from "@roster/contract";
import { Inbox } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Badge, StateBadge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Differences } from "../../design/difference.tsx";
import { Face } from "../../design/face.tsx";
import { Select, TextArea, TextField } from "../../design/field.tsx";
import { Markdown } from "../../design/markdown.tsx";
import { Moment, Money, Spending } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, EmptyState, Facts, PageHead, Rows, Section } from "../../design/surface.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { toast } from "../../design/toast.tsx";

const colours = [
  "canvas",
  "surface",
  "raised",
  "sunken",
  "hover",
  "line",
  "line-strong",
  "ink",
  "ink-soft",
  "ink-faint",
];
const tones = ["accent", "good", "warn", "bad"];
const sizes = ["2xl", "xl", "lg", "base", "sm", "xs"];
const states = [...new Set([...agentStatuses, ...approvalStatuses, ...issueStatuses, ...runStatuses])];

/** The parts that every page is made of, as they are: nothing on a page has a look of its own. */
export function DesignPage(): ReactNode {
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-10 px-4 py-8 md:px-8">
      <PageHead title="Design">
        <p className="max-w-2xl text-ink-soft">
          One accent, for what can be pressed and what goes on. Colour never says something alone: a word stands with
          it. Sizes and distances come from one scale. Everything works with the keyboard, and on a phone.
        </p>
      </PageHead>
      <Tokens />
      <Presses />
      <Fields />
      <States />
      <Values />
      <Lists />
    </main>
  );
}

function Tokens(): ReactNode {
  return (
    <>
      <Section title="Colours">
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-5">
          {[...colours, ...tones].map((name) => (
            <li key={name} className="flex flex-col gap-1 text-sm">
              <span className="h-10 rounded-md border border-line" style={{ background: `var(--color-${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Type">
        <ul className="flex flex-col gap-2">
          {sizes.map((size) => (
            <li key={size} style={{ fontSize: `var(--text-${size})`, lineHeight: `var(--text-${size}--line-height)` }}>
              {size}: agents work, people decide
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Presses(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title="Buttons, dialog, toast">
      <div className="flex flex-wrap gap-2">
        <Button look="primary">Primary</Button>
        <Button>Plain</Button>
        <Button look="quiet">Quiet</Button>
        <Button look="danger">Danger</Button>
        <Button look="primary" busy>
          Busy
        </Button>
        <Button onClick={() => setOpen(true)}>Open a dialog</Button>
        <Button onClick={() => toast("Saved")}>Say something</Button>
      </div>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <p>Escape closes it. Focus stays in it, and goes back to where it came from.</p>
        </Dialog>
      )}
    </Section>
  );
}

function Fields(): ReactNode {
  return (
    <Section title="Fields">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="One line" hint="What would be right" />
        <TextField label="With a mistake" wrong="must be one of the files" defaultValue="x" />
        <Select label="One of several">
          <option>First</option>
          <option>Second</option>
        </Select>
        <TextArea label="Several lines" />
      </div>
    </Section>
  );
}

function States(): ReactNode {
  return (
    <Section title="States and faces">
      <div className="flex flex-wrap gap-2">
        {states.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
        <Badge tone="accent">A word</Badge>
      </div>
      <div className="flex flex-wrap gap-2">
        {agentIcons.map((icon) => (
          <Face key={icon} icon={icon} />
        ))}
      </div>
    </Section>
  );
}

function Values(): ReactNode {
  return (
    <Section title="Values and texts">
      <Card className="flex flex-col gap-5 p-5">
        <Facts
          facts={[
            ["Time", <Moment key="t" at={new Date(Date.now() - 7_200_000).toISOString()} />],
            ["Money", <Money key="m" cents={123_456} />],
            ["Budget", <Spending key="b" spent={7300} budget={10_000} />],
          ]}
        />
        <Markdown text={"**Markdown** with `code`, [a link](https://example.com) and\n\n- a list\n- of things"} />
      </Card>
      <Differences differences={[{ path: "title", before: "Engineer", after: "Head of engineering" }]} texts={[]} />
      <Refusal error={new Error("What was wrong, then what would be right.")} />
    </Section>
  );
}

function Lists(): ReactNode {
  const [tab, setTab] = useState("rows");
  const rows = (
    <Rows label="Some rows">
      <li className="px-4 py-2.5">One row</li>
      <li className="px-4 py-2.5">Another row</li>
    </Rows>
  );
  const nothing = (
    <EmptyState icon={<Inbox />} title="Nothing is here">
      And what can be done about that.
    </EmptyState>
  );
  return (
    <Section title="Tabs, rows, and nothing">
      <Tabs
        label="Lists"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { key: "rows", label: "Rows", content: rows },
          { key: "nothing", label: "Nothing", content: nothing },
        ]}
      />
    </Section>
  );
}
