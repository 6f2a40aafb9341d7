/** CSV for spreadsheets and for the reader of statements. */
import Papa from 'papaparse';

/** A spreadsheet of another country, or one that guesses, splits rows at one of these. */
const OTHER_SEPARATORS = /[;\t|]/;

/** Rows with CRLF, each of which ends so. The texts are raw: see `withoutFormula`. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `${Papa.unparse([...rows], { quotes: (text) => OTHER_SEPARATORS.test(String(text)) })}\r\n`;
}
