import type { Issue } from "@roster/client";
import { issuePriorities, issueStatuses } from "@roster/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleDot, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Button } from "../../design/button.tsx";
import { Select, TextField } from "../../design/field.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { EmptyState, PageHead } from "../../design/surface.tsx";
import { wordsOf } from "../../design/words.ts";
import { useAgents } from "../people/names.ts";
import { IssueList } from "./issue-list.tsx";
import { NewIssueDialog } from "./new-issue-dialog.tsx";

const from = "/$prefix/issues";

/** The words of the address that say which issues are shown. */
interface Filters {
  readonly status?: string;
  readonly priority?: string;
  readonly assignee?: string;
  readonly q?: string;
}

/** Issues of the company; which of them is said by the address. */
export function IssuesPage(): ReactNode {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const show = (isNew: boolean): void => {
    const { new: _, ...filters } = search;
    void navigate({ search: isNew ? { ...filters, new: "true" } : filters, replace: !isNew });
  };
  return (
    <>
      <PageHead
        title="Issues"
        aside={
          <Button look="primary" icon={<Plus size={15} aria-hidden="true" />} onClick={() => show(true)}>
            New issue
          </Button>
        }
      />
      <FilterBar />
      <Found search={search} />
      {search.new !== undefined && <NewIssueDialog onClose={() => show(false)} />}
    </>
  );
}

function FilterBar(): ReactNode {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const agents = useAgents();
  const set = (name: keyof Filters, value: string): void => {
    const { [name]: _, ...others } = search;
    void navigate({ search: value === "" ? others : { ...others, [name]: value }, replace: true });
  };
  return (
    <search aria-label="Issues" className="grid grid-cols-2 gap-2 md:grid-cols-[1fr_10rem_10rem_11rem]">
      <div className="max-md:col-span-2">
        <TextField
          bare
          type="search"
          label="Search"
          placeholder="Search in titles and descriptions"
          defaultValue={search.q ?? ""}
          onChange={({ target }) => set("q", target.value)}
        />
      </div>
      <Select bare label="Status" value={search.status ?? ""} onChange={({ target }) => set("status", target.value)}>
        <option value="">Any status</option>
        {issueStatuses.map((status) => (
          <option key={status} value={status}>
            {wordsOf(status)}
          </option>
        ))}
      </Select>
      <Select
        bare
        label="Priority"
        value={search.priority ?? ""}
        onChange={({ target }) => set("priority", target.value)}
      >
        <option value="">Any priority</option>
        {issuePriorities.map((priority) => (
          <option key={priority} value={priority}>
            {wordsOf(priority)}
          </option>
        ))}
      </Select>
      <div className="max-md:col-span-2">
        <Select
          bare
          label="Assignee"
          value={search.assignee ?? ""}
          onChange={({ target }) => set("assignee", target.value)}
        >
          <option value="">Anyone</option>
          {[...agents.values()].map(({ id, name, urlKey }) => (
            <option key={id} value={urlKey}>
              {name}
            </option>
          ))}
        </Select>
      </div>
    </search>
  );
}

function Found({ search: { status, priority, assignee, q } }: { readonly search: Filters }): ReactNode {
  const { id } = useCompany();
  const agents = useAgents();
  const agent = [...agents.values()].find(({ urlKey }) => urlKey === assignee);
  const query = {
    limit: 200,
    ...(status !== undefined && { status }),
    ...(issuePriorities.some((known) => known === priority) && { priority: priority as Issue["priority"] }),
    ...(agent !== undefined && { assigneeAgentId: agent.id }),
    ...(q !== undefined && q.trim() !== "" && { q }),
  };
  const found = usePages("issues.list", { params: { companyId: id }, query });
  if (found.items.length === 0) {
    if (found.query.isPending || found.query.error !== null) return <MoreButton query={found.query} />;
    return (
      <EmptyState icon={<CircleDot />} title="No issues here">
        {Object.keys(query).length > 1 ? "None is like that; show more of them." : "Make one and give it to an agent."}
      </EmptyState>
    );
  }
  return <IssueList issues={found.items} query={found.query} />;
}
