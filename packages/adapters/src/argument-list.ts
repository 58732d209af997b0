import { childText } from "@roster/adapter";
import { z } from "zod";

const mostArguments = 200;

/** Arguments of a program, one text each; no shell splits or expands them. */
export const argumentList = z.array(childText()).max(mostArguments);

/**
 * Further arguments for a program whose other arguments an adapter makes. `reserved` maps each flag the adapter makes
 * itself to what to do instead: given twice, it would depend on the program which one holds.
 */
export function extraArguments(reserved: Readonly<Record<string, string>>) {
  return argumentList.superRefine((list, context) => {
    for (const [index, argument] of list.entries()) {
      const flag = argument.split("=", 1)[0] ?? "";
      if (!Object.hasOwn(reserved, flag)) continue;
      context.addIssue({ code: "custom", path: [index], message: `${flag} cannot be given here: ${reserved[flag]}` });
    }
  });
}
