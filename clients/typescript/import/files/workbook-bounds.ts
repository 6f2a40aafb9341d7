/** Looks through the XML of a workbook for what would cost read-excel-file more memory or time than its size suggests. */
/// <reference path="./saxen.d.ts" />
import { Parser } from 'saxen';
import { ImportError } from '../options.ts';
import { formatCount, ROWS_MAX, requireCells, tooLarge } from './bounds.ts';

const EXCEL_COLUMNS = 16_384;
const SHEETS_MAX = 1_000;
/** Excel has at most 250 formats of its own in a workbook, each of at most 255 characters. */
const FORMATS_MAX = 1_000;
const FORMAT_LENGTH_MAX = 255;
/** A tag, a text or a comment of so many characters ends in no slice. */
const SLICE_LENGTH = 256 * 1024;

/**
 * read-excel-file makes every row up to the last one, and makes all of them as wide as the widest. Any file of the archive can be a sheet.
 * @throws ImportError `unreadable_file`
 */
export function requireUsualWorkbook(files: Record<string, Uint8Array>): void {
  const counts = { cells: 0, sheets: 0, formats: 0 };
  for (const file of Object.values(files)) {
    const { rows, columns } = extentOf(new TextDecoder().decode(file), counts);
    if (rows > ROWS_MAX || columns > EXCEL_COLUMNS) throw beyondBounds();
    counts.cells += rows * Math.max(columns, 1);
    requireCells(counts.cells);
  }
}

/** The rows and columns that read-excel-file makes of this XML. */
function extentOf(
  xml: string,
  counts: { sheets: number; formats: number },
): { rows: number; columns: number } {
  const extent = { lastRow: 0, rowsWithoutNumber: 0, columns: 0 };
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  const parser = new Parser();
  for (const event of ['closeTag', 'text', 'cdata', 'comment', 'attention', 'question'] as const) {
    parser.on(event, end);
  }
  parser.on('openTag', (name, attributes, decode, isSelfClosing) => {
    end();
    const valuesOf = (wanted: string) => {
      const all = attributes() || {};
      const keys = Object.keys(all).filter((key) => withoutPrefix(key) === wanted);
      return keys.map((key) => decode(all[key] ?? ''));
    };
    switch (withoutPrefix(name)) {
      case 'row': {
        const numbers = valuesOf('r').map(Number);
        if (numbers.length === 0) extent.rowsWithoutNumber++;
        extent.lastRow = Math.max(extent.lastRow, ...numbers.map((number) => number || 0));
        break;
      }
      case 'c':
        for (const address of valuesOf('r')) {
          const [row, column] = rowAndColumn(address);
          extent.lastRow = Math.max(extent.lastRow, row);
          // Cells without content are no part of the table, as in columns that have a format up to the last one.
          if (!isSelfClosing) extent.columns = Math.max(extent.columns, column);
        }
        break;
      case 'sheet':
        if (++counts.sheets > SHEETS_MAX) throw tooLarge(`The workbook has more than ${SHEETS_MAX} sheets.`);
        break;
      case 'numFmt': {
        const isLong = valuesOf('formatCode').some((code) => code.length > FORMAT_LENGTH_MAX);
        if (isLong || ++counts.formats > FORMATS_MAX) {
          throw tooLarge('The workbook has number formats that Excel does not have; save the sheet as CSV.');
        }
      }
    }
  });
  try {
    for (let at = 0; at < xml.length; at += SLICE_LENGTH) {
      hasEnded = false;
      parser.write(xml.slice(at, at + SLICE_LENGTH));
      if (!hasEnded && at + SLICE_LENGTH < xml.length) throw tooLarge(LONG_TEXT);
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    // read-excel-file gets no further than this either, if it reads the file at all.
  }
  return { rows: extent.lastRow + extent.rowsWithoutNumber, columns: extent.columns };
}

const LONG_TEXT = 'The workbook has a text that is too large for a cell of Excel; save the sheet as CSV.';

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function rowAndColumn(address: string): [number, number] {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? [];
  if (letters === '') throw beyondBounds();
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return [Number(digits), column];
}

function beyondBounds(): ImportError {
  const rows = formatCount(ROWS_MAX);
  return tooLarge(
    `The workbook is too large: a sheet has a row after row ${rows}, or a column that Excel does not have; save the sheet as CSV.`,
  );
}
