import { commentBytes } from "@roster/contract";
import { fire } from "./measure.ts";
import type { Measurement } from "./measurement.ts";
import type { LoadRequest } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import { judged } from "./verdict.ts";

const seconds = 3;
const smallBytes = 4096;
const largestDescription = 65_536;

/** A text without a space in it: what takes words apart has the most to do. */
const unbroken = (bytes: number): string => "aZ9-".repeat(Math.ceil(bytes / 4)).slice(0, bytes);

/** What the largest texts cost the server per byte, against small ones: nothing is to grow faster than the text. */
export const texts: Measurement = {
  name: "texts",
  async measure(stage) {
    const company = await stage.board.companies.create({ body: { name: "Texts" } });
    const params = { companyId: company.id };
    const issue = await stage.board.issues.create({ params, body: { title: "Long texts" } });
    const comment = (bytes: number): LoadRequest => ({
      method: "POST",
      path: `/api/issues/${issue.id}/comments`,
      body: { body: unbroken(bytes) },
    });
    const description = (bytes: number): LoadRequest => ({
      method: "POST",
      path: `/api/companies/${company.id}/issues`,
      body: { title: "Long texts", description: unbroken(bytes) },
    });
    const figures = {
      comment: await growth(stage, comment, commentBytes),
      description: await growth(stage, description, largestDescription),
    };
    return {
      figures,
      verdicts: [
        judged("largest comment per byte, of a small one's", figures.comment, "", { atMost: 2 }),
        judged("largest description per byte, of a small one's", figures.description, "", { atMost: 2 }),
      ],
    };
  },
};

/** Processor time of the server per byte of a large text, as a multiple of that of a small one. */
async function growth(stage: Stage, request: (bytes: number) => LoadRequest, largest: number): Promise<number> {
  const perByte = async (bytes: number): Promise<number> => {
    const volley = { requests: [request(bytes)], seconds, once: false };
    return (await fire(stage, stage.server, volley)).cpuMicros / bytes;
  };
  await perByte(smallBytes);
  const small = await perByte(smallBytes);
  return (await perByte(largest)) / small;
}
