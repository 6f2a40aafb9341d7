/**
 * Searches the XML of a workbook for content that would cost read-excel-file excessive memory or time, and for content that it ignores:
 * hidden rows, currencies of number formats, cells that are struck through, and formulas without a value.
 */
/// <reference path="./saxen.d.ts" />
import { Parser } from 'saxen';
import { ImportError } from '../import-error.ts';
import { formatCount, ROWS_MAX, requireCells, tooLarge } from './bounds.ts';

const EXCEL_COLUMNS = 16_384;
const SHEETS_MAX = 1_000;
/** Excel has at most 250 formats of its own in a workbook, each of at most 255 characters. */
const FORMATS_MAX = 1_000;
const FORMAT_LENGTH_MAX = 255;
/** The characters of a slice. A tag, a text or a comment that fills a slice is refused. */
const SLICE_LENGTH = 256 * 1024;

/** The evidence in a number format that its amounts are not in pounds, or that its dates are not whole. */
export type MarkOfFormat = (format: string) => string | undefined;

/** Marks of the rows and cells of a sheet, beside their values. */
export interface SheetMarks {
  hiddenRows: Set<number>;
  /** By the address of the cell: the symbol of another currency in the number format, or other evidence of the style. */
  currencies: Map<string, string>;
  /** The addresses of formulas without saved values, and of errors. */
  unvalued: Set<string>;
  /** The addresses of formulas with the value 0, unless the formulas were computed. */
  zeros: Set<string>;
  /** The addresses of formulas that add up several rows. */
  sums: Set<string>;
  isComputed: boolean;
}

/**
 * read-excel-file creates every row up to the last one, all as wide as the widest. Any file of the archive can be a sheet.
 * @returns the marks of each file
 * @throws ImportError `unreadable_file`
 */
export function requireUsualWorkbook(
  files: Record<string, Uint8Array>,
  markOfFormat: MarkOfFormat,
): Map<string, SheetMarks> {
  const counts = { cells: 0, sheets: 0, formats: 0 };
  const styles = Object.entries(files).find(([name]) => /(^|\/)styles\.xml$/i.test(name))?.[1];
  const symbols = styles ? symbolsOfStyles(new TextDecoder().decode(styles), markOfFormat) : [];
  const marks = new Map<string, SheetMarks>();
  for (const [name, file] of Object.entries(files)) {
    const { rows, columns, ...found } = extentOf(new TextDecoder().decode(file), counts, symbols);
    if (rows > ROWS_MAX || columns > EXCEL_COLUMNS) throw beyondBounds();
    counts.cells += rows * Math.max(columns, 1);
    requireCells(counts.cells);
    marks.set(name, found);
  }
  // A program that does not compute writes 0 as the value of each formula. Excel lists the formulas that it has computed.
  const sheets = [...marks.values()];
  const isListed = Object.keys(files).some((name) => /calcChain\.xml$/i.test(name));
  if (isListed || sheets.some(({ isComputed }) => isComputed)) for (const { zeros } of sheets) zeros.clear();
  return marks;
}

/** The size of the table that read-excel-file creates from this XML, and its marks. @param symbols of other currencies, by style */
function extentOf(
  xml: string,
  counts: { sheets: number; formats: number },
  symbols: readonly (string | undefined)[],
): { rows: number; columns: number } & SheetMarks {
  const extent = { lastRow: 0, rowsWithoutNumber: 0, columns: 0 };
  const marks: SheetMarks = {
    hiddenRows: new Set(),
    currencies: new Map(),
    unvalued: new Set(),
    zeros: new Set(),
    sums: new Set(),
    isComputed: false,
  };
  let cell = { address: '', type: '', hasFormula: false, formula: '', value: '' };
  let isInValue = false;
  let isInFormula = false;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  const parser = new Parser();
  for (const event of ['cdata', 'comment', 'attention', 'question'] as const) parser.on(event, end);
  parser.on('text', (text) => {
    end();
    if (isInValue) cell.value += text;
    if (isInFormula) cell.formula += text;
  });
  parser.on('closeTag', (name) => {
    end();
    if (withoutPrefix(name) === 'v') isInValue = false;
    if (withoutPrefix(name) === 'f') isInFormula = false;
    if (withoutPrefix(name) !== 'c') return;
    if (OF_TODAY.test(cell.formula)) marks.currencies.set(cell.address, 'computed of today: ');
    if (cell.formula !== '' && isOfRows(cell)) marks.sums.add(cell.address);
    const isEmpty = cell.value === '' && cell.type !== 'str';
    if (cell.type === 'e' || (cell.hasFormula && isEmpty)) marks.unvalued.add(cell.address);
    else if (cell.hasFormula && Number(cell.value) === 0 && /^n?$/.test(cell.type))
      marks.zeros.add(cell.address);
    else if (cell.hasFormula) marks.isComputed = true;
  });
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
        if (valuesOf('hidden').some(isTrue) || valuesOf('ht').some((height) => Number(height) === 0)) {
          for (const number of numbers) marks.hiddenRows.add(number);
        }
        break;
      }
      case 'c':
        for (const address of valuesOf('r')) {
          const [row, column] = rowAndColumn(address);
          extent.lastRow = Math.max(extent.lastRow, row);
          // Cells without content are not part of the table, such as formatted columns.
          if (!isSelfClosing) extent.columns = Math.max(extent.columns, column);
          const symbol = symbols[Number(valuesOf('s')[0] ?? -1)];
          if (symbol !== undefined) marks.currencies.set(address, symbol);
          cell = { address, type: valuesOf('t')[0] ?? '', hasFormula: false, formula: '', value: '' };
        }
        break;
      case 'f':
        cell.hasFormula = true;
        isInFormula = !isSelfClosing;
        break;
      case 'v':
        isInValue = !isSelfClosing;
        break;
      case 'is':
        cell.value = 'a text';
        break;
      case 'sheet':
        if (++counts.sheets > SHEETS_MAX) throw tooLarge(`The workbook has more than ${SHEETS_MAX} sheets.`);
        break;
      case 'numFmt': {
        const isLong = valuesOf('formatCode').some((code) => code.length > FORMAT_LENGTH_MAX);
        if (isLong || ++counts.formats > FORMATS_MAX) {
          throw tooLarge('The workbook has number formats that Excel lacks; save it as CSV.');
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
    // read-excel-file stops here too, if it reads the file at all.
  }
  return { rows: extent.lastRow + extent.rowsWithoutNumber, columns: extent.columns, ...marks };
}

/** The value of such a formula is of the day on which the workbook was computed. */
const OF_TODAY = /\b(?:TODAY|NOW)\(/i;

/** Whether the formula computes with another row of its own column, or adds up several rows. A formula that copies one cell, or finds it, does not. */
function isOfRows({ address, formula }: { address: string; formula: string }): boolean {
  const plain = formula.replace(/^\+|\$/g, '');
  const own = new RegExp(`(?<![\\w!])${address.replace(/\d+/, '')}\\d+`, 'i').exec(plain);
  const ranges = [...plain.matchAll(/[A-Z](\d+):[A-Z]+(\d+)/gi)];
  return (
    (own !== null && own[0] !== plain) ||
    (/\bSU(?:M|BTOTAL)/i.test(plain) && ranges.some(([, first, last]) => first !== last))
  );
}

const LONG_TEXT = 'The workbook has a text too large for Excel; save it as CSV.';

const isTrue = (value: string) => value === '1' || value === 'true';

/** The mark of a cell that is struck through. */
export const STRUCK = 'struck through: ';

/** Formats that a workbook does not write. Excel gives the last one to a cell in which "Apr 2026" is typed. */
const BUILT_IN: Record<string, string> = { 9: '0%', 10: '0.00%', 17: 'mmm-yy' };

/** For each cell style, in order, the mark of its number format, or of its font. */
function symbolsOfStyles(xml: string, markOfFormat: MarkOfFormat): (string | undefined)[] {
  const formats = new Map<string, string>();
  /** Whether the font of each cell style is struck through. */
  const isStruck: boolean[] = [];
  const symbols: (string | undefined)[] = [];
  let isOfCells = false;
  const parser = new Parser();
  parser.on('openTag', (qualified, attributes, decode) => {
    const name = withoutPrefix(qualified);
    const { numFmtId = '', formatCode = '', fontId = '', val = '1' } = attributes() || {};
    if (name === 'numFmt') formats.set(numFmtId, decode(formatCode));
    else if (name === 'font') isStruck.push(false);
    else if (name === 'strike') isStruck[isStruck.length - 1] = isTrue(val);
    else if (name === 'cellXfs') isOfCells = true;
    else if (name === 'xf' && isOfCells)
      symbols.push(
        isStruck[Number(fontId)] ? STRUCK : markOfFormat(formats.get(numFmtId) ?? BUILT_IN[numFmtId] ?? ''),
      );
  });
  parser.on('closeTag', (name) => {
    if (withoutPrefix(name) === 'cellXfs') isOfCells = false;
  });
  try {
    parser.parse(xml);
  } catch {
    // read-excel-file does not read its styles either.
  }
  return symbols;
}

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
    `The workbook is too large: a sheet has a row after row ${rows}, or a column that Excel lacks; save it as CSV.`,
  );
}
