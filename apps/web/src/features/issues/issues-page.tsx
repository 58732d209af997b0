import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleDot, Columns3, Keyboard, List, Plus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useMay } from "../../app/may.ts";
import { Button, IconButton } from "../../design/button.tsx";
import { useKeys } from "../../design/keys.ts";
import { KeysSheet, type KeyWords } from "../../design/keys-sheet.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { EmptyState, PageHead, Waiting } from "../../design/surface.tsx";
import { useAgents } from "../people/names.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { IssueBoard } from "./issue-board.tsx";
import { IssueFilterBar } from "./issue-filters.tsx";
import { IssueList } from "./issue-list.tsx";
import { filtersOf, type IssueSearch, sortOf } from "./issue-search.ts";
import { NewIssueDialog } from "./new-issue-dialog.tsx";
import { useReach } from "./reach.ts";
import { type Selection, useSelection } from "./selection.ts";
import type { IssueFilters, Sort } from "./strands.ts";

const from = "/$prefix/issues";

const listKeys: KeyWords = [
  ["j k ↓ ↑", "Next or previous issue"],
  ["Enter", "Open it"],
  ["x", "Select it; then change all that are selected below"],
  ["J K", "Go on and select"],
  ["Esc", "Select nothing"],
  ["c", "New issue"],
  ["/", "Search"],
  ["v", "List or board"],
];
const boardKeys: KeyWords = [
  ["h j k l", "Go over the board, as the arrows do"],
  ["Shift ← →", "Move the card to another status"],
  ["Shift ↑ ↓", "More or less urgent"],
  ...listKeys.filter(([keys]) => !["j k ↓ ↑", "J K"].includes(keys)),
];

/** Issues of the company; which of them, and how, is said by the address. */
export function IssuesPage(): ReactNode {
  const search = useSearch({ from });
  const selection = useSelection();
  const isBoard = search.view === "board";
  const searchId = useId();
  const [showsKeys, setShowsKeys] = useState(false);
  const { showNew, showView } = useViews();
  useKeys({
    c: () => showNew(true),
    v: () => showView(isBoard ? undefined : "board"),
    "/": () => document.querySelector<HTMLElement>(`[data-search="${searchId}"]`)?.focus(),
    "?": () => setShowsKeys(true),
    Escape: selection.clear,
  });
  return (
    <>
      <PageHead
        title="Issues"
        aside={
          <>
            <span className="max-md:hidden">
              <IconButton label="Keys" onClick={() => setShowsKeys(true)}>
                <Keyboard size={17} aria-hidden="true" />
              </IconButton>
            </span>
            <ViewSwitch isBoard={isBoard} onShow={showView} />
            <NewIssueButton onPress={() => showNew(true)} />
          </>
        }
      />
      <IssueFilterBar searchId={searchId} />
      <Shown search={search} selection={selection} />
      <BulkBar selection={selection} />
      {search.new !== undefined && <NewIssueDialog onClose={() => showNew(false)} />}
      {showsKeys && <KeysSheet keys={isBoard ? boardKeys : listKeys} onClose={() => setShowsKeys(false)} />}
    </>
  );
}

function useViews() {
  const navigate = useNavigate({ from });
  return {
    showNew: (isNew: boolean): void =>
      void navigate({
        search: ({ new: _, ...others }) => (isNew ? { ...others, new: "true" } : others),
        replace: !isNew,
      }),
    showView: (view: "board" | undefined): void =>
      void navigate({
        search: ({ view: _, ...others }) => (view === undefined ? others : { ...others, view }),
        replace: true,
      }),
  };
}

function NewIssueButton({ onPress }: { readonly onPress: () => void }): ReactNode {
  const may = useMay("issues.create");
  if (!may) return null;
  return (
    <Button look="primary" icon={<Plus size={15} aria-hidden="true" />} onClick={onPress}>
      New issue
    </Button>
  );
}

interface SwitchParts {
  readonly isBoard: boolean;
  readonly onShow: (view: "board" | undefined) => void;
}

function ViewSwitch({ isBoard, onShow }: SwitchParts): ReactNode {
  const look = (isOn: boolean): "plain" | "quiet" => (isOn ? "plain" : "quiet");
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">View</legend>
      <Button
        look={look(!isBoard)}
        aria-pressed={!isBoard}
        icon={<List size={15} aria-hidden="true" />}
        onClick={() => onShow(undefined)}
      >
        List
      </Button>
      <Button
        look={look(isBoard)}
        aria-pressed={isBoard}
        icon={<Columns3 size={15} aria-hidden="true" />}
        onClick={() => onShow("board")}
      >
        Board
      </Button>
    </fieldset>
  );
}

function Shown({ search, selection }: { readonly search: IssueSearch; readonly selection: Selection }): ReactNode {
  const agents = useAgents();
  const filters = filtersOf(search, agents.values());
  // Until it is known who the agents are, nobody can say whom the address names.
  if (filters === null) return agents.size === 0 ? <Waiting /> : <NoIssues isFiltered />;
  if (search.view === "board") return <IssueBoard filters={filters} selection={selection} />;
  const sort = sortOf(search);
  return <FoundList key={JSON.stringify([filters, sort])} filters={filters} sort={sort} selection={selection} />;
}

interface FoundParts {
  readonly filters: IssueFilters;
  readonly sort: Sort;
  readonly selection: Selection;
}

function FoundList({ filters, sort, selection }: FoundParts): ReactNode {
  const found = useReach(filters, sort);
  if (found.rows.length > 0) return <IssueList found={found} selection={selection} />;
  if (found.error !== null) return <Refusal error={found.error} />;
  return found.isPending ? <Waiting /> : <NoIssues isFiltered={Object.keys(filters).length > 0} />;
}

function NoIssues({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  const navigate = useNavigate({ from });
  return (
    <EmptyState icon={<CircleDot />} title="No issues here">
      {isFiltered ? (
        <>
          <p className="mb-4">None is like that.</p>
          <Button onClick={() => void navigate({ search: ({ view }) => (view === undefined ? {} : { view }) })}>
            Show all issues
          </Button>
        </>
      ) : (
        "Make one and give it to an agent."
      )}
    </EmptyState>
  );
}
