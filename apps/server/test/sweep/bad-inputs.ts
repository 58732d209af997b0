import { badBodies } from "./bad-bodies.ts";
import { badFields } from "./bad-fields.ts";
import { badHeaders } from "./bad-headers.ts";
import type { BadInput, Ground } from "./bad-input.ts";
import { badPaths } from "./bad-paths.ts";
import { badQueries } from "./bad-queries.ts";

/** Every way in which a call of this operation can be wrong. */
export async function badInputs(ground: Ground): Promise<BadInput[]> {
  return [
    ...(await badPaths(ground)),
    ...(await badQueries(ground)),
    ...(await badFields(ground)),
    ...badBodies(ground),
    ...badHeaders(ground),
  ];
}
