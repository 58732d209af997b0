import { z } from "zod";

/** Longest single argument or environment value, in characters; in UTF-8 it stays below Linux's limit of 128 KiB. */
export const childTextLength = 32_768;

/** Text that can be handed to a program: an operating system ends arguments and environment values at a NUL. */
export function childText(maxLength: number = childTextLength) {
  return z
    .string()
    .max(maxLength)
    .refine((value) => !value.includes("\u0000"), "must not contain a NUL character");
}
