import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { NeedsYouPage } from "../features/needs-you/needs-you-page.tsx";
import { CompanyFrame } from "./company-frame.tsx";
import { EntryGate } from "./entry-gate.tsx";
import { Home } from "./home.tsx";
import { NoPage } from "./no-page.tsx";

const root = createRootRoute({ component: EntryGate, notFoundComponent: NoPage });
const home = createRoute({ getParentRoute: () => root, path: "/", component: Home });
const design = createRoute({
  getParentRoute: () => root,
  path: "/design",
  component: lazyRouteComponent(() => import("../features/design/design-page.tsx"), "DesignPage"),
});
const start = createRoute({
  getParentRoute: () => root,
  path: "/start",
  component: lazyRouteComponent(() => import("../features/first-start/first-start-page.tsx"), "FirstStartPage"),
});

const company = createRoute({ getParentRoute: () => root, path: "/$prefix", component: CompanyFrame });
const inCompany = () => company;
const needsYou = createRoute({ getParentRoute: inCompany, path: "/", component: NeedsYouPage });
const agents = createRoute({
  getParentRoute: inCompany,
  path: "/agents",
  validateSearch: choice("view", ["list", "chart"]),
  component: lazyRouteComponent(() => import("../features/agents/agents-page.tsx"), "AgentsPage"),
});
const hire = createRoute({
  getParentRoute: inCompany,
  path: "/hire",
  component: lazyRouteComponent(() => import("../features/agents/hire-page.tsx"), "HirePage"),
});
const agent = createRoute({
  getParentRoute: inCompany,
  path: "/agents/$agentKey",
  validateSearch: choice("tab", ["now", "runs", "configuration", "instructions", "skills", "keys", "revisions"]),
  component: lazyRouteComponent(() => import("../features/agents/agent-page.tsx"), "AgentPage"),
});
const issues = createRoute({
  getParentRoute: inCompany,
  path: "/issues",
  validateSearch: texts(["status", "priority", "assignee", "q", "sort", "view", "new"]),
  component: lazyRouteComponent(() => import("../features/issues/issues-page.tsx"), "IssuesPage"),
});
const issue = createRoute({
  getParentRoute: inCompany,
  path: "/issues/$identifier",
  component: lazyRouteComponent(() => import("../features/issues/issue-page.tsx"), "IssuePage"),
});
const approvals = createRoute({
  getParentRoute: inCompany,
  path: "/approvals",
  component: lazyRouteComponent(() => import("../features/approvals/approvals-page.tsx"), "ApprovalsPage"),
});
const approval = createRoute({
  getParentRoute: inCompany,
  path: "/approvals/$approvalId",
  component: lazyRouteComponent(() => import("../features/approvals/approval-page.tsx"), "ApprovalPage"),
});
const runPage = createRoute({
  getParentRoute: inCompany,
  path: "/runs/$runId",
  validateSearch: choice("tab", ["transcript", "log", "cause"]),
  component: lazyRouteComponent(() => import("../features/runs/run-page.tsx"), "RunPage"),
});
const costs = createRoute({
  getParentRoute: inCompany,
  path: "/costs",
  validateSearch: texts(["month"]),
  component: lazyRouteComponent(() => import("../features/costs/costs-page.tsx"), "CostsPage"),
});
const activity = createRoute({
  getParentRoute: inCompany,
  path: "/activity",
  validateSearch: texts(["about", "action", "actor", "agent", "entity", "since", "entry"]),
  component: lazyRouteComponent(() => import("../features/activity/activity-page.tsx"), "ActivityPage"),
});
const settings = createRoute({
  getParentRoute: inCompany,
  path: "/settings/$section",
  component: lazyRouteComponent(() => import("../features/settings/settings-page.tsx"), "SettingsPage"),
});
const anySettings = createRoute({
  getParentRoute: inCompany,
  path: "/settings",
  beforeLoad: ({ params: { prefix } }) => {
    throw redirect({ to: "/$prefix/settings/$section", params: { prefix, section: "company" }, replace: true });
  },
});
const account = createRoute({
  getParentRoute: inCompany,
  path: "/account",
  component: lazyRouteComponent(() => import("../features/account/account-page.tsx"), "AccountPage"),
});

/** What an address says beside its path: texts, as they are; anything else is left out. */
function texts<const K extends string>(names: readonly K[]) {
  return (search: Record<string, unknown>): { readonly [P in K]?: string } => {
    const given = names.flatMap((name) => {
      const value = search[name];
      return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [];
    });
    return Object.fromEntries(given) as { readonly [P in K]?: string };
  };
}

/** One of several views; the first where none is named. */
function choice<const K extends string, const V extends string>(name: K, values: readonly [V, ...V[]]) {
  return (search: Record<string, unknown>): { readonly [P in K]?: V } => {
    const value = values.find((known) => known === search[name]);
    return (value === undefined || value === values[0] ? {} : { [name]: value }) as { readonly [P in K]?: V };
  };
}

const routeTree = root.addChildren([
  home,
  design,
  start,
  company.addChildren([
    needsYou,
    agents,
    hire,
    agent,
    issues,
    issue,
    approvals,
    approval,
    runPage,
    costs,
    activity,
    settings,
    anySettings,
    account,
  ]),
]);

/** Every address of the board. */
export const router = createRouter({ routeTree, defaultPreload: "intent", scrollRestoration: true });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
