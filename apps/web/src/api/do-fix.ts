import { type Fix, operationOf } from "./operation-of.ts";
import { callOperation, type InputOf, type OperationName } from "./operations.ts";

/** Does what the service proposes. */
export async function doFix(fix: Fix): Promise<void> {
  const found = operationOf(fix);
  if (found === null) throw new TypeError(`the contract has no ${fix.method} ${fix.path}`);
  // The service proposes calls of its own contract, whole.
  const input = { params: found.params, ...(fix.body !== undefined && { body: fix.body }) };
  await callOperation(found.named.name as OperationName, input as InputOf<OperationName> & typeof input);
}
