import type { Agent, Run } from "@roster/client";
import { Maximize, Minus, Plus } from "lucide-react";
import { type ReactNode, useEffect, useMemo } from "react";
import { useAllPages, useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { IconButton } from "../../design/button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Waiting } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { type CardDeeds, OrgCard } from "./org-card.tsx";
import { card, layOut, type OrgPicture } from "./org-layout.ts";
import { type PanZoom, usePanZoom } from "./use-pan-zoom.ts";
import { fitted, readable, revealing } from "./view.ts";

/** Everybody who works here, who reports to whom, and what each is at; to be moved, zoomed and acted on. */
export function OrgChart(): ReactNode {
  const { id } = useCompany();
  const params = { companyId: id };
  const { items, query } = useAllPages("agents.list", { params, query: { limit: 200 } });
  const running = useAllPages("runs.list", { params, query: { status: "running", limit: 200 } });
  const { deeds, error } = useDeeds();
  const picture = useMemo(() => layOut(shownOf(items)), [items]);
  const runOf = useMemo(() => new Map(running.items.map((run) => [run.agentId, run])), [running.items]);
  if (query.isPending) return <Waiting />;
  return (
    <>
      <Refusal error={query.error ?? error} />
      <Chart picture={picture} isWhole={!query.hasNextPage} runOf={runOf} deeds={deeds} />
    </>
  );
}

const byName = new Intl.Collator("en", { numeric: true });

/** Those who work here or will, in the order of their names. */
const shownOf = (agents: readonly Agent[]): readonly Agent[] =>
  agents.filter(({ status }) => status !== "terminated").toSorted((one, other) => byName.compare(one.name, other.name));

function useDeeds(): { readonly deeds: CardDeeds; readonly error: unknown } {
  const [mayGovern, mayWake] = [useMay("agents.pause"), useMay("runs.invoke")];
  const pause = useCommand("agents.pause", ({ name }) => toast(`${name} is paused`));
  const resume = useCommand("agents.resume", ({ name }) => toast(`${name} is resumed`));
  const wake = useCommand("runs.invoke", ({ coalesced }) => toast(coalesced ? "It was queued already" : "Woken"));
  const on = (agent: Agent) => ({ params: { agentId: agent.id } });
  const deeds = {
    ...(mayGovern && { pause: (agent: Agent) => pause.mutate(on(agent)) }),
    ...(mayGovern && { resume: (agent: Agent) => resume.mutate(on(agent)) }),
    ...(mayWake && { wake: (agent: Agent) => wake.mutate(on(agent)) }),
  };
  return { deeds, error: pause.error ?? resume.error ?? wake.error };
}

interface ChartParts {
  readonly picture: OrgPicture<Agent>;
  /** Everybody has been read: who stands at the top is known. */
  readonly isWhole: boolean;
  readonly runOf: ReadonlyMap<string, Run>;
  readonly deeds: CardDeeds;
}

function Chart({ picture, isWhole, runOf, deeds }: ChartParts): ReactNode {
  const moving = usePanZoom();
  const { view, window, set } = moving;
  const [first] = picture.places;
  useEffect(() => {
    if (view !== null || window === null || first === undefined || !isWhole) return;
    set(readable(picture, window, { x: first.left + card.width / 2, y: first.top }));
  }, [view, window, first, isWhole, picture, set]);
  const reveal = (left: number, top: number): void => {
    if (view === null || window === null) return;
    // The browser would scroll what has no scroll bar.
    moving.ref.current?.scrollTo(0, 0);
    set(revealing(view, { x: left, y: top, ...card }, window));
  };
  return (
    <div className="relative">
      <section
        ref={moving.ref}
        aria-label="Org chart"
        className="relative h-[min(44rem,calc(100dvh-15rem))] min-h-96 cursor-grab touch-none select-none overflow-hidden rounded-lg border border-line bg-surface active:cursor-grabbing"
      >
        <div
          className="absolute top-0 left-0 origin-top-left"
          style={{
            width: picture.width,
            height: picture.height,
            visibility: view === null ? "hidden" : "visible",
            transform: `translate(${view?.x ?? 0}px, ${view?.y ?? 0}px) scale(${view?.scale ?? 1})`,
          }}
        >
          <Lines picture={picture} />
          <ul aria-label="Agents">
            {picture.places.map(({ of: agent, left, top }) => (
              <li
                key={agent.id}
                className="absolute"
                style={{ left, top, width: card.width, height: card.height }}
                onFocus={() => reveal(left, top)}
              >
                <OrgCard agent={agent} run={runOf.get(agent.id)} deeds={deeds} />
              </li>
            ))}
          </ul>
        </div>
      </section>
      <Buttons moving={moving} onFit={() => window !== null && set(fitted(picture, window))} />
    </div>
  );
}

function Lines({ picture }: Pick<ChartParts, "picture">): ReactNode {
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full overflow-visible opacity-60" fill="none">
      {picture.places.map(
        ({ of, line }) => line !== null && <path key={of.id} d={line} className="stroke-line-strong" />,
      )}
    </svg>
  );
}

const step = 1.25;

function Buttons({ moving, onFit }: { readonly moving: PanZoom; readonly onFit: () => void }): ReactNode {
  return (
    <div className="absolute right-3 bottom-3 flex items-center rounded-md border border-line bg-raised shadow-raised">
      <IconButton label="Smaller" onClick={() => moving.zoom(1 / step)}>
        <Minus size={15} aria-hidden="true" />
      </IconButton>
      <span className="w-11 text-center text-ink-soft text-xs tabular-nums">
        {Math.round((moving.view?.scale ?? 1) * 100)} %
      </span>
      <IconButton label="Larger" onClick={() => moving.zoom(step)}>
        <Plus size={15} aria-hidden="true" />
      </IconButton>
      <IconButton label="All of it" onClick={onFit}>
        <Maximize size={15} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
