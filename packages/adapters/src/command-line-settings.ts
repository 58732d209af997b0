import { childText, sessionSettings } from "@roster/adapter";
import { extraArguments } from "./argument-list.ts";

/**
 * Settings of every adapter for a program that works on its own, beside the common ones. `reserved` are the arguments
 * that the adapter makes, each with what to do instead of giving it.
 */
export function commandLineSettings(command: string, reserved: Readonly<Record<string, string>>) {
  return {
    command: childText(4096).min(1).default(command).describe("The program: a name in PATH or an absolute path"),
    ...sessionSettings,
    extraArgs: extraArguments(reserved).default([]).describe("Further arguments of the program, one text each"),
  };
}
