import { v7, validate } from "uuid";

/** A new UUIDv7: ids of later entities sort after ids of earlier ones made by the same process. */
export const newId = (): string => v7();

/** True for the textual form of a UUID. */
export const isId = (value: string): boolean => validate(value);
