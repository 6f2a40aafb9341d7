/** The shape of an id, in both processes. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether `text` is a UUID as it is usually written: no braces, and hyphens where they belong. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
