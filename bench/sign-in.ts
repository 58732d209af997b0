import { createClient } from "@roster/client";
import { claimToken, openMasterKey } from "@roster/server";
import { benchKey } from "./bench-key.ts";
import { type Delay, delay } from "./delay.ts";
import type { Measurement } from "./measurement.ts";
import { judged } from "./verdict.ts";

const signIns = 40;
const email = "ada@example.com";
const password = "correct horse battery staple";

/** A person signs in, again and again, one after the other: most of it is the hash of the password, which has to be slow. */
export const signIn: Measurement = {
  name: "sign-in",
  async measure(stage) {
    const { url, database } = await stage.guarded();
    const keys = await openMasterKey({ value: benchKey, file: undefined, home: undefined }, database.driver);
    const visitor = createClient({ baseUrl: url, headers: { origin: url } });
    await visitor.auth.claim({
      body: { token: (await claimToken(database, keys)) ?? "", name: "Ada", email, password },
    });
    const times: number[] = [];
    for (let n = 0; n < signIns; n += 1) {
      const begun = performance.now();
      await visitor.auth.signIn({ body: { email, password } });
      times.push(performance.now() - begun);
    }
    const figures: Delay = delay(times);
    return {
      figures,
      verdicts: [judged("sign-in, p50", figures.p50Ms, "ms", null), judged("sign-in, p99", figures.p99Ms, "ms", null)],
    };
  },
};
