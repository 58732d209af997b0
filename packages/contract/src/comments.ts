import { z } from "zod";
import { id, time, utf8Bytes } from "./fields.ts";

/** Most bytes of a comment in UTF-8. */
export const commentBytes = 65_536;

/** What a comment says: markdown. */
export const commentText = z
  .string()
  .min(1)
  .max(commentBytes)
  .refine((text) => utf8Bytes(text) <= commentBytes, `must have at most ${commentBytes} bytes in UTF-8`)
  .describe(`Markdown, 1 to ${commentBytes} bytes in UTF-8`);

/** The body that adds a comment. */
export const commentBody = z.strictObject({ body: commentText });

/** A comment on an issue or on an approval. It is never edited and never deleted. */
export const comment = z
  .object({
    id,
    companyId: id,
    issueId: id.nullable(),
    approvalId: id.nullable(),
    body: z.string(),
    authorAgentId: id.nullable(),
    authorUserId: id.nullable(),
    createdAt: time,
  })
  .meta({ id: "Comment" });
/** A comment as the API answers it. */
export type Comment = z.infer<typeof comment>;
