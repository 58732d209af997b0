import type { JsonObject } from "@roster/client";
import { type ReactNode, useState } from "react";
import { Checkbox } from "../../design/checkbox.tsx";
import { TextField } from "../../design/field.tsx";
import { wrongAt } from "../../design/refusal.tsx";
import { BudgetField } from "./budget-field.tsx";
import { centsOf, dollarsOf } from "./dollars.ts";
import { NumberField } from "./number-field.tsx";
import type { AgentDraft } from "./use-agent-draft.ts";

interface Parts {
  readonly drafting: AgentDraft;
  readonly error: unknown;
}

type Json = JsonObject[string];

/** When it is woken, how much of it runs at a time, and what it may spend. */
export function RuntimeFields({ drafting, error }: Parts): ReactNode {
  const { draft, change } = drafting;
  const { runtimeConfig } = draft;
  const heartbeat = (runtimeConfig["heartbeat"] ?? {}) as JsonObject;
  const setRuntime = (name: string, value: Json | undefined): void => {
    change({ runtimeConfig: withMember(runtimeConfig, name, value) });
  };
  const setHeartbeat = (name: string, value: Json | undefined): void => {
    setRuntime("heartbeat", withMember(heartbeat, name, value));
  };
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <BudgetOfAgent drafting={drafting} error={error} />
        <CostOfRun
          value={runtimeConfig["maxRunCostCents"]}
          error={error}
          onChange={(cents) => setRuntime("maxRunCostCents", cents)}
        />
        <NumberField
          label="Runs at one time"
          value={runtimeConfig["maxConcurrentRuns"]}
          wrong={wrongAt(error, "runtimeConfig.maxConcurrentRuns")}
          onChange={(value) => setRuntime("maxConcurrentRuns", value ?? 1)}
        />
        <NumberField
          label="Longest wait in the queue, in seconds"
          hint="Empty: it waits until it can start"
          value={runtimeConfig["queueTimeoutSec"]}
          wrong={wrongAt(error, "runtimeConfig.queueTimeoutSec")}
          onChange={(value) => setRuntime("queueTimeoutSec", value)}
        />
      </div>
      <Heartbeat heartbeat={heartbeat} error={error} onSet={setHeartbeat} />
    </div>
  );
}

interface HeartbeatParts {
  readonly heartbeat: JsonObject;
  readonly error: unknown;
  readonly onSet: (name: string, value: Json | undefined) => void;
}

function Heartbeat({ heartbeat, error, onSet }: HeartbeatParts): ReactNode {
  const isOn = heartbeat["enabled"] === true;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Waking</legend>
      <Checkbox
        label="Is woken on demand"
        hint="By assignments, comments, approvals, and by hand"
        checked={heartbeat["wakeOnDemand"] !== false}
        onChange={({ target }) => onSet("wakeOnDemand", target.checked)}
      />
      <Checkbox
        label="Is woken by a timer too"
        hint="For recurring work only: each time costs a run"
        checked={isOn}
        onChange={({ target }) => onSet("enabled", target.checked)}
      />
      {isOn && (
        <div className="flex flex-col gap-3 border-line border-l-2 pl-4">
          <div className="max-w-56">
            <NumberField
              label="Every so many seconds"
              hint="3600 is once an hour"
              value={heartbeat["intervalSec"]}
              wrong={wrongAt(error, "runtimeConfig.heartbeat.intervalSec")}
              onChange={(value) => onSet("intervalSec", value)}
            />
          </div>
          <Checkbox
            label="Not while it has nothing to do"
            checked={heartbeat["skipWhenIdle"] === true}
            onChange={({ target }) => onSet("skipWhenIdle", target.checked)}
          />
        </div>
      )}
    </fieldset>
  );
}

function BudgetOfAgent({ drafting: { draft, change }, error }: Parts): ReactNode {
  const { budgetMonthlyCents: value } = draft;
  const [typed, setTyped] = useState(typeof value === "number" ? dollarsOf(value) : value);
  // What was typed stays as it was typed, as long as it says the same.
  const shown = typeof value === "number" && centsOf(typed) !== value ? dollarsOf(value) : typed;
  return (
    <BudgetField
      value={shown}
      error={error}
      onType={(text) => {
        setTyped(text);
        change({ budgetMonthlyCents: centsOf(text) ?? text });
      }}
    />
  );
}

interface CostParts {
  readonly value: Json | undefined;
  readonly error: unknown;
  readonly onChange: (cents: Json | undefined) => void;
}

function CostOfRun({ value, error, onChange }: CostParts): ReactNode {
  const [typed, setTyped] = useState(typeof value === "number" ? dollarsOf(value) : "");
  const isOfValue = (centsOf(typed) ?? (typed === "" ? undefined : typed)) === value;
  const stored = typeof value === "number" ? dollarsOf(value) : "";
  const shown = isOfValue ? typed : stored;
  const isWrong = shown !== "" && centsOf(shown) === null;
  return (
    <TextField
      label="Most one run may cost, in dollars"
      hint="Empty: no limit of its own"
      inputMode="decimal"
      value={shown}
      wrong={isWrong ? "An amount such as 2 or 0.50" : wrongAt(error, "runtimeConfig.maxRunCostCents")}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(target.value === "" ? undefined : (centsOf(target.value) ?? target.value));
      }}
    />
  );
}

/** With another value of a member; without it, for none. */
function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: _, ...others } = object;
  return value === undefined ? others : { ...object, [name]: value };
}
