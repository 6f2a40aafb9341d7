/** Array literals of Postgres, for parameters: built in one pass, without inspecting each element's type. */

/** `{…}` of the formatted elements. */
export function arrayText<Item>(items: readonly Item[], format: (item: Item) => string): string {
  let array = '';
  for (const item of items) array += array === '' ? `{${format(item)}` : `,${format(item)}`;
  return `${array}}`;
}

/**
 * An element of a composite type. Its fields are not quoted: a `textField`, or a value that was checked to have no quote, comma, backslash
 * or parenthesis, such as a uuid or a date.
 */
export function rowElement(fields: readonly (string | number)[]): string {
  return `"(${fields.join()})"`;
}

/** A text or null as a field of a `rowElement`: quoted once for the row and once for the array. */
export function textField(value: string | null | undefined): string {
  return value === null || value === undefined ? '' : `\\"${value.replace(/["\\]/g, '\\\\\\$&')}\\"`;
}

export function bytesField(value: Buffer | undefined): string {
  return value === undefined ? '' : textField(`\\x${value.toString('hex')}`);
}
