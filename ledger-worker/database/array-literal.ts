/** Arrays as Postgres reads them: parameters made in one pass, without a look at each element's type. */

/** `{…}` of the elements as they are worded. */
export function arrayText<Item>(items: readonly Item[], word: (item: Item) => string): string {
  let array = '';
  for (const item of items) array += array === '' ? `{${word(item)}` : `,${word(item)}`;
  return `${array}}`;
}

/** A text, or NULL. What cannot hold a quote, a comma or a brace, such as an id, a date or a number, needs no wording. */
export function textElement(value: string | null | undefined): string {
  return value === null || value === undefined ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

export function bytesElement(value: Buffer): string {
  return `"\\\\x${value.toString('hex')}"`;
}
