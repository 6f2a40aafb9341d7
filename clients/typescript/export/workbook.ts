/** XLSX workbooks. Every text is a text cell: a formula is in a cell only if this program wrote it. */
import { strFromU8, strToU8, zipSync } from 'fflate';
import { unzip } from '../import/files/unzip.ts';

// No library: write-excel-file packs large sheets in a web worker from a blob, which a strict content security policy forbids.

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006';
const MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The content of a workbook, in its properties. */
export type WorkbookTitle = 'entries' | 'corrections' | 'figures';

const PROPERTIES_PART = 'docProps/core.xml';
const CREATOR = 'bookkeeping-ledger';

const relationships = (...targets: [type: string, target: string][]) =>
  `${XML}<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const STYLES = 'xl/styles.xml';
const partOf = (index: number) => `worksheets/sheet${index + 1}.xml`;

/** The formats of numbers, by their place in the styles. */
const CELL_FORMATS = ['whole', 'pounds', 'day'] as const;

/** @param value with the digits of the file. A formula is made of addresses and constants, never of a text of the books. */
export interface NumberCell {
  value: string;
  format: (typeof CELL_FORMATS)[number];
  formula?: string;
}

/** A text stays text, also if it looks like a number or a formula. */
export type Cell = string | NumberCell;

type Rows = readonly (readonly Cell[])[];

const styles =
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts>` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${CELL_FORMATS.length}">${[0, 2, 164]
    .map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
    .join('')}</cellXfs></styleSheet>`;

const workbookParts = (names: readonly string[]) => ({
  '[Content_Types].xml':
    `${XML}<Types xmlns="${PACKAGE_NAMESPACE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Override PartName="/${PROPERTIES_PART}" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>` +
    `<Override PartName="/xl/workbook.xml" ContentType="${MEDIA_TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/${STYLES}" ContentType="${MEDIA_TYPE}.styles+xml"/>` +
    `${names.map((_, index) => `<Override PartName="/xl/${partOf(index)}" ContentType="${MEDIA_TYPE}.worksheet+xml"/>`).join('')}</Types>`,
  '_rels/.rels': relationships(
    [`${OFFICE}/officeDocument`, 'xl/workbook.xml'],
    [`${PACKAGE_NAMESPACE}/relationships/metadata/core-properties`, PROPERTIES_PART],
  ),
  'xl/workbook.xml':
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</sheets>` +
    // Spreadsheets compute formulas when they open the file, and rely on no value in it.
    '<calcPr fullCalcOnLoad="1"/></workbook>',
  'xl/_rels/workbook.xml.rels': relationships(
    ...names.map((_, index): [string, string] => [`${OFFICE}/worksheet`, partOf(index)]),
    [`${OFFICE}/styles`, 'styles.xml'],
  ),
  [STYLES]: styles,
});

const propertiesOf = (title: WorkbookTitle) =>
  `${XML}<cp:coreProperties xmlns:cp="${PACKAGE_NAMESPACE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
  `<dc:title>${title}</dc:title><dc:creator>${CREATOR}</dc:creator></cp:coreProperties>`;

const PROPERTIES_BYTES_MAX = 100_000;

/** The title of a workbook that `workbookOf` has made, also if a spreadsheet has saved it since. */
export function titleOfWorkbook(bytes: Uint8Array): string | undefined {
  let text: string;
  try {
    const files = unzip(bytes, (name) => name === PROPERTIES_PART, PROPERTIES_BYTES_MAX);
    text = strFromU8(files?.[PROPERTIES_PART] ?? new Uint8Array());
  } catch {
    return undefined;
  }
  const [, creator] = /<dc:creator>(.*?)</.exec(text) ?? [];
  return creator === CREATOR ? /<dc:title>(.*?)</.exec(text)?.[1] : undefined;
}

/** @param sheets by name, each of rows of at most 26 cells */
export function workbookOf(
  title: WorkbookTitle,
  sheets: Readonly<Record<string, Rows>>,
): Uint8Array<ArrayBuffer> {
  const parts = {
    ...workbookParts(Object.keys(sheets)),
    [PROPERTIES_PART]: propertiesOf(title),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [`xl/${partOf(index)}`, worksheetOf(rows)]),
    ),
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}

function worksheetOf(rows: Rows): string {
  const sheet = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((each, column) => cell(each, `${letterOf(column)}${row + 1}`)).join('')}</row>`,
  );
  return `${XML}<worksheet xmlns="${MAIN}"><sheetData>${sheet.join('')}</sheetData></worksheet>`;
}

/** The name of one of the first 26 columns. */
export const letterOf = (column: number) => String.fromCharCode(65 + column);

function cell(content: Cell, address: string): string {
  if (typeof content === 'string')
    return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escaped(content)}</t></is></c>`;
  const { value, format, formula } = content;
  const computed = formula === undefined ? '' : `<f>${escaped(formula)}</f>`;
  return `<c r="${address}" s="${CELL_FORMATS.indexOf(format)}">${computed}<v>${value}</v></c>`;
}

/** Writes control characters, which XML cannot have, as `_x0001_`, and escapes texts that look like such an escape. */
const escaped = (text: string) =>
  text
    .replace(/_(?=x[\da-f]{4})/gi, '_x005F_')
    .replace(/(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu, hex)
    .replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const hex = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
