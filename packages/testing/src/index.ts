export { type Received, type Receiver, startReceiver } from "./receiver.ts";
export { selfSigned } from "./self-signed.ts";
export { type Switchboard, startSwitchboard } from "./switchboard.ts";
export { startTestCluster, type TestCluster } from "./test-cluster.ts";
export { createTestDatabase, type TestDatabase } from "./test-database.ts";
