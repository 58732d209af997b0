import type { Client } from "@roster/client";
import type { ActivityEntry, AgentPermissions } from "@roster/contract";
import { startTestServer, type TestOptions, type TestServer } from "./test-server.ts";

/** A SKILL.md with this name. */
export const skillText = (name: string, instructions = "Do it."): string =>
  `---\nname: ${name}\ndescription: What ${name} is for\n---\n${instructions}\n`;

/** A server with companies to import skills into. */
export interface SkillGround {
  readonly server: TestServer;
  readonly board: Client;
  /** A new company. */
  company(): Promise<string>;
  /** A client that is a new agent of the company. */
  agentOf(companyId: string, permissions?: Partial<AgentPermissions>): Promise<Client>;
  /** Entries about skills, oldest first. */
  logOf(companyId: string): Promise<ActivityEntry[]>;
  /** How many rows the tables of skills have for the company. */
  countsOf(companyId: string): Promise<{ skills: number; versions: number; files: number }>;
}

/** Starts a server for a test file about skills. */
export async function startSkillGround(options: TestOptions = {}): Promise<SkillGround> {
  const server = await startTestServer(options);
  const { board, database } = server;
  return {
    server,
    board,
    company: async () => (await board.companies.create({ body: { name: "Skilled" } })).id,
    agentOf: async (companyId, permissions = {}) => {
      const body = { name: "Ada", adapterType: "process", adapterConfig: { command: "true" }, permissions };
      const { id } = await board.agents.create({ params: { companyId }, body });
      const { token } = await board.agentKeys.create({ params: { agentId: id }, body: {} });
      return server.as(token ?? "");
    },
    logOf: async (companyId) => {
      const { items } = await board.activity.list({ params: { companyId }, query: { entityType: "skill" } });
      return items.reverse();
    },
    countsOf: async (companyId) => {
      const [counts] = await database.driver<{ skills: number; versions: number; files: number }[]>`
        select (select count(*)::int from skills where company_id = ${companyId}) as skills,
          (select count(*)::int from skill_versions where company_id = ${companyId}) as versions,
          (select count(*)::int from skill_files where company_id = ${companyId}) as files`;
      return counts ?? { skills: -1, versions: -1, files: -1 };
    },
  };
}
