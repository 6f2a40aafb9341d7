/** Whether a text is the one that was sent. Who cannot tell stores U+FFFD in the place of what was. */

/** For a text of JSON, whose escapes can name half of a surrogate pair. */
export const isWellFormed = (text: string) => text.isWellFormed();

/** For a text of a message: there U+FFFD may stand for anything that was not UTF-8, and nobody knows any more. */
export const isCertain = (text: string) => !text.includes('\ufffd');
