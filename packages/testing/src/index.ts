export { startTestCluster, type TestCluster } from "./test-cluster.ts";
export { createTestDatabase, type TestDatabase } from "./test-database.ts";
