import { events } from "./events.ts";
import { history } from "./history.ts";
import type { Measurement } from "./measurement.ts";
import { output } from "./output.ts";
import { runs } from "./runs.ts";
import { signIn } from "./sign-in.ts";
import { texts } from "./texts.ts";
import { timers } from "./timers.ts";

/** Everything that is measured in a way of its own, in the order of the report. */
export const measurements: readonly Measurement[] = [runs, output, timers, signIn, texts, history, events];
