import type { Agent } from "@roster/client";
import { Command } from "cmdk";
import type { ReactNode } from "react";
import { useCommand } from "../api/queries.ts";
import { toast } from "../design/toast.tsx";
import { useAgents } from "../features/people/names.ts";
import { commandItemClass } from "./command-frame.tsx";
import { useMay } from "./may.ts";
import { chooseTheme, chosenTheme } from "./theme.ts";

/** What can be done right from the palette: one thing, at once, that can be taken back. */
export function PaletteDeeds({ onClose }: { readonly onClose: () => void }): ReactNode {
  const mayWake = useMay("runs.invoke");
  const mayGovern = useMay("agents.pause");
  const agents = [...useAgents().values()].filter(
    ({ status }) => status !== "terminated" && status !== "pending_approval",
  );
  const turn = (): void => {
    chooseTheme(chosenTheme() === "dark" ? "light" : "dark");
    onClose();
  };
  return (
    <>
      <Command.Item value="Theme: light or dark" onSelect={turn} className={commandItemClass}>
        Theme: light or dark
      </Command.Item>
      {mayWake && agents.map((agent) => <Wake key={agent.id} agent={agent} onClose={onClose} />)}
      {mayGovern && agents.map((agent) => <Pause key={agent.id} agent={agent} onClose={onClose} />)}
    </>
  );
}

interface DeedParts {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Where it does not work, the palette is closed already: the sentence is said in passing. */
const say = (error: Error): void => toast(error.message);

function Wake({ agent, onClose }: DeedParts): ReactNode {
  const wake = useCommand("runs.invoke");
  if (agent.status === "paused") return null;
  const choose = (): void => {
    onClose();
    wake.mutateAsync({ params: { agentId: agent.id } }).then(() => toast(`${agent.name} is woken`), say);
  };
  return (
    <Command.Item value={`Wake ${agent.name} ${agent.id}`} onSelect={choose} className={commandItemClass}>
      Wake {agent.name}
    </Command.Item>
  );
}

function Pause({ agent, onClose }: DeedParts): ReactNode {
  const isPaused = agent.status === "paused";
  const pause = useCommand("agents.pause");
  const resume = useCommand("agents.resume");
  const verb = isPaused ? "Resume" : "Pause";
  const choose = (): void => {
    onClose();
    const { mutateAsync } = isPaused ? resume : pause;
    mutateAsync({ params: { agentId: agent.id } }).then(
      () => toast(`${agent.name} is ${isPaused ? "resumed" : "paused"}`),
      say,
    );
  };
  return (
    <Command.Item value={`${verb} ${agent.name} ${agent.id}`} onSelect={choose} className={commandItemClass}>
      {verb} {agent.name}
    </Command.Item>
  );
}
