import type { Sql } from "postgres";

/** What the database says of the holder of an agent key: the statement that every request with a key begins with. */
export async function keyHolder(sql: Sql, authorization = ""): Promise<{ companyId: string; agentId: string }> {
  const prefix = authorization.slice("Bearer svk_".length, "Bearer svk_".length + 8);
  const [holder] = await sql<{ company_id: string; agent_id: string }[]>`
    select k.company_id, k.agent_id, k.hash, k.expires_at, a.name, a.status, a.permissions, c.status as company_status
    from agent_keys k
    join agents a on a.company_id = k.company_id and a.id = k.agent_id
    join companies c on c.id = k.company_id
    where k.prefix = ${prefix} and k.revoked_at is null`;
  if (holder === undefined) throw new Error("no such key");
  return { companyId: holder.company_id, agentId: holder.agent_id };
}
