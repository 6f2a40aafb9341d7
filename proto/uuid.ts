/** The format of ids. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether `text` is a UUID in the usual form, with hyphens and without braces. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Whether `text` is a UUID of version 7 (RFC 9562), which ascends with time. */
export function isUuidV7(text: string): boolean {
  return UUID_V7.test(text);
}
