/** Splits a text of CSV into records, in linear time. */
import { COLUMNS_MAX } from './bounds.ts';

interface CsvRecord {
  /** The line on which it begins, from 1. */
  line: number;
  /** The cells: at most one more than COLUMNS_MAX, as further cells are dropped. */
  cells: string[];
  /** A quote in a quoted cell is not doubled. */
  hasStrayQuote: boolean;
  /** The last cell is quoted, and the text ends before the quote. */
  isUnterminated: boolean;
}

interface QuotedCell {
  text: string;
  /** The position of the delimiter or the line end after it. */
  end: number;
  hasStrayQuote: boolean;
  isUnterminated: boolean;
}

/** Line ends as \n. @param isExact the text follows RFC 4180, and its quoted cells keep their line ends */
export function withLineFeeds(text: string, isExact: boolean): string {
  const changed = (part: string) => part.replace(/\r\n?/g, '\n');
  if (!isExact) return changed(text);
  const parts = text.split('"');
  return parts.map((part, index) => (index % 2 === 0 ? changed(part) : part)).join('"');
}

/** RFC 4180, with lines that end in \n. Spaces may follow a closing quote. A stray quote is part of its cell. */
export function* csvRecordsOf(text: string, delimiter: string): Generator<CsvRecord> {
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const record: CsvRecord = { line, cells: [], hasStrayQuote: false, isUnterminated: false };
    for (let isLast = false; !isLast; ) {
      let cell: string;
      let end: number;
      if (text[at] === '"') {
        const quoted = quotedCell(text, at, delimiter);
        ({ text: cell, end } = quoted);
        record.hasStrayQuote ||= quoted.hasStrayQuote;
        record.isUnterminated = quoted.isUnterminated;
        line += newlinesIn(cell);
      } else {
        end = endOfCell(text, at, delimiter);
        cell = text.slice(at, end);
      }
      if (record.cells.length <= COLUMNS_MAX) record.cells.push(cell);
      isLast = text[end] !== delimiter;
      at = end + 1;
    }
    line++;
    yield record;
  }
}

function quotedCell(text: string, start: number, delimiter: string): QuotedCell {
  let hasStrayQuote = false;
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) {
      const rest = text.slice(start + 1);
      return { text: rest, end: text.length, hasStrayQuote, isUnterminated: true };
    }
    if (text[quote + 1] === '"') {
      from = quote + 2;
      continue;
    }
    const end = afterSpaces(text, quote + 1, delimiter);
    if (end === text.length || text[end] === delimiter || text[end] === '\n') {
      const inner = text.slice(start + 1, quote).replaceAll('""', '"');
      return { text: inner, end, hasStrayQuote, isUnterminated: false };
    }
    hasStrayQuote = true;
    from = end;
  }
}

/** A tab that is the delimiter is no space. */
function afterSpaces(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at]?.trim() === '') at++;
  return at;
}

function endOfCell(text: string, start: number, delimiter: string): number {
  const mark = delimiter.charCodeAt(0);
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === mark || code === 10) break;
    at++;
  }
  return at;
}

function newlinesIn(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}
