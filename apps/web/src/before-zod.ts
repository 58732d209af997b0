/**
 * Imported before everything else: Zod compiles its checks with `eval` where it may, and tries whether it may. The policy
 * of this origin allows none, and even the try would be reported.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
