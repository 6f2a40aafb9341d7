/** Array literals of Postgres, for parameters: built in one pass, without inspecting each element's type. */

/** `{…}` of the formatted elements. */
export function arrayText<Item>(items: readonly Item[], format: (item: Item) => string): string {
  let array = '';
  for (const item of items) array += array === '' ? `{${format(item)}` : `,${format(item)}`;
  return `${array}}`;
}

/** A quoted text, or NULL. Ids, dates and numbers need no quotes. */
export function textElement(value: string | null | undefined): string {
  return value === null || value === undefined ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

export function bytesElement(value: Buffer): string {
  return `"\\\\x${value.toString('hex')}"`;
}
