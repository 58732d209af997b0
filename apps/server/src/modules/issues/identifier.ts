/** An identifier such as `ACM-12`, taken apart. */
export interface Identifier {
  readonly prefix: string;
  readonly number: number;
}

/** Takes an identifier apart, in capital or small letters; null where the text is none. Pure. */
export function identifierOf(text: string): Identifier | null {
  const [, prefix, number] = /^([A-Za-z][A-Za-z0-9]{1,9})-([1-9]\d{0,8})$/.exec(text) ?? [];
  if (prefix === undefined || number === undefined) return null;
  return { prefix: prefix.toUpperCase(), number: Number(number) };
}
