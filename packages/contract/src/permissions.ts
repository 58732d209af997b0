/** Roles of a company's members, weakest first: each may do what the ones before it may. */
export const roles = ["viewer", "operator", "admin", "owner"] as const;
/** The role of a board operator in one company. */
export type Role = (typeof roles)[number];

/**
 * Who of the board may: `signedIn` any board operator; a role: that role or a stronger one in the entity's company;
 * `instanceAdmin` who runs the deployment; `never` nobody.
 */
export type BoardRule = "signedIn" | Role | "instanceAdmin" | "never";

/**
 * Which agents may: `company` any active agent, within its own company; `self` only the agent named in the path; `run`
 * only the agent in the run named in the path, with the credential of that run; `never` none. Where a rule also depends on state (such as whether hires need approval), the command decides.
 */
export type AgentRule = "company" | "self" | "run" | "never";

/** Who may call an operation. `public` needs no credential at all. */
export interface CallerRule {
  readonly board: BoardRule;
  readonly agent: AgentRule;
  readonly public?: true;
  /** Only a runner may, with its token. */
  readonly runner?: true;
  /** Also a scraper, with the token of the deployment's metrics. */
  readonly scraper?: true;
}

/** The permission table: the only place that says who may do what. */
export const permissions = {
  "service.read": { board: "signedIn", agent: "company", public: true },
  "metrics.read": { board: "instanceAdmin", agent: "never", scraper: true },
  "account.enter": { board: "signedIn", agent: "never", public: true },
  "account.own": { board: "signedIn", agent: "never" },
  "instance.read": { board: "instanceAdmin", agent: "never" },
  "discovery.read": { board: "signedIn", agent: "company" },
  "company.list": { board: "signedIn", agent: "company" },
  "company.create": { board: "signedIn", agent: "never" },
  "company.read": { board: "viewer", agent: "company" },
  "company.change": { board: "admin", agent: "never" },
  "member.read": { board: "viewer", agent: "never" },
  "member.manage": { board: "admin", agent: "never" },
  "agent.read": { board: "viewer", agent: "company" },
  "agent.create": { board: "operator", agent: "company" },
  "agent.configure": { board: "operator", agent: "never" },
  "agent.govern": { board: "operator", agent: "never" },
  "agent.hire": { board: "operator", agent: "company" },
  "agent.sync_skills": { board: "operator", agent: "company" },
  "agent.me": { board: "never", agent: "company" },
  "approval.read": { board: "viewer", agent: "company" },
  "approval.request": { board: "operator", agent: "company" },
  "approval.comment": { board: "operator", agent: "company" },
  "approval.decide": { board: "operator", agent: "never" },
  "approval.resubmit": { board: "operator", agent: "company" },
  "key.manage": { board: "operator", agent: "self" },
  "secret.read": { board: "viewer", agent: "company" },
  "secret.manage": { board: "admin", agent: "never" },
  "skill.read": { board: "viewer", agent: "company" },
  "skill.import": { board: "operator", agent: "company" },
  "issue.read": { board: "viewer", agent: "company" },
  "issue.write": { board: "operator", agent: "company" },
  "issue.checkout": { board: "operator", agent: "company" },
  "agent.wake": { board: "operator", agent: "company" },
  "run.read": { board: "viewer", agent: "company" },
  "run.cancel": { board: "operator", agent: "company" },
  "run.complete": { board: "never", agent: "run" },
  "run.release": { board: "operator", agent: "never" },
  "attention.read": { board: "viewer", agent: "company" },
  "attention.dismiss": { board: "operator", agent: "never" },
  "runner.manage": { board: "instanceAdmin", agent: "never" },
  "runner.work": { board: "never", agent: "never", runner: true },
  "cost.read": { board: "viewer", agent: "company" },
  "cost.report": { board: "operator", agent: "company" },
  "activity.read": { board: "viewer", agent: "company" },
  "activity.export": { board: "admin", agent: "never" },
} as const satisfies Record<string, CallerRule>;

/** The name of a row of the permission table. */
export type Permission = keyof typeof permissions;

/** True when `role` is `needed` or stronger. */
export function roleAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
