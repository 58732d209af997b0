import { migrate, openDatabase } from "@roster/server";
import { createTestDatabase, startTestCluster } from "@roster/testing";
import type { TestProject } from "vitest/node";

/** One PostgreSQL for the whole run, with a migrated database that every test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  const template = await createTestDatabase(cluster.url);
  const database = openDatabase({ url: template.url, poolSize: 1 });
  await migrate(database.driver, new URL("../apps/server/migrations", import.meta.url).pathname);
  await database.close();
  project.provide("clusterUrl", cluster.url);
  project.provide("templateDatabase", template.name);
  return async () => {
    await template.drop();
    await cluster.stop();
  };
}

declare module "vitest" {
  export interface ProvidedContext {
    clusterUrl: string;
    templateDatabase: string;
  }
}
