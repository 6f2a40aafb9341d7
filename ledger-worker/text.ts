/** Whether a text arrived as it was sent: a decoder puts U+FFFD in the place of what is not Unicode. */

/** For a text of JSON, whose escapes can name half of a surrogate pair. */
export const isWellFormed = (text: string) => text.isWellFormed();

/** For a text of a message: there U+FFFD may stand for anything that was not UTF-8, and nobody knows any more. */
export const isCertain = (text: string) => !text.includes('\ufffd');
