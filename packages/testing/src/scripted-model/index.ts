export type { Question } from "./dialect.ts";
export { type ScriptedModel, startScriptedModel } from "./start-scripted-model.ts";
export type { ScriptedTurn } from "./turn.ts";
