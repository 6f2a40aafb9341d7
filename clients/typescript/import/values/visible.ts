/** Characters that nobody sees, such as a zero width space or a mark of direction. A soft hyphen is none: it may be a minus. */
const INVISIBLE = /(?!\u00ad)\p{Default_Ignorable_Code_Point}/gu;

/** The text of a number or a date without invisible characters. */
export const visible = (text: string) => text.replace(INVISIBLE, '');
