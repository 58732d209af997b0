// The program of a run over HTTP: makes the call and stays until the run is over, as every program of a run does.
import { readFileSync } from "node:fs";
import { env } from "@roster/contract";
import { createEgress } from "@roster/egress";
import type { CallInput } from "../call-input.ts";
import { RunCall } from "./run-call.ts";

const input = JSON.parse(readFileSync(0, "utf8")) as CallInput;
const call = new RunCall(input, createEgress({ allow: process.env[env("EGRESS_ALLOW")] ?? "" }));
process.on("SIGTERM", () => void call.cancel());
process.exit(await call.run());
