/** CSV for spreadsheets and for the reader of statements. */
import Papa from 'papaparse';

/** Other delimiters: a spreadsheet of another country, or one that guesses, splits cells at them. */
const OTHER_SEPARATORS = /[;\t|]/;

/** Formats rows; each ends with CRLF. The texts are raw: see `withoutFormula`. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `${Papa.unparse([...rows], { quotes: (text) => OTHER_SEPARATORS.test(String(text)) })}\r\n`;
}
