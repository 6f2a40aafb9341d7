/** An XLSX workbook of one sheet in which every cell is text. */
import { strFromU8, strToU8, zipSync } from 'fflate';
import { unzip } from '../import/files/unzip.ts';

// No library: write-excel-file packs large sheets in a web worker from a blob, which a strict content security policy forbids.

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The content of a workbook, in its properties. */
export type WorkbookTitle = 'entries' | 'corrections' | 'figures';

const PROPERTIES = 'docProps/core.xml';
const CREATOR = 'bookkeeping-ledger';

const relationships = (...targets: [type: string, target: string][]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const PARTS = {
  '[Content_Types].xml':
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Override PartName="/${PROPERTIES}" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>` +
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': relationships(
    [`${OFFICE}/officeDocument`, 'xl/workbook.xml'],
    [`${PACKAGE}/relationships/metadata/core-properties`, PROPERTIES],
  ),
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Entries" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relationships([`${OFFICE}/worksheet`, 'worksheets/sheet1.xml']),
};

const propertiesOf = (title: WorkbookTitle) =>
  `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
  `<dc:title>${title}</dc:title><dc:creator>${CREATOR}</dc:creator></cp:coreProperties>`;

const PROPERTIES_BYTES_MAX = 100_000;

/** The title of a workbook that `workbookOf` has made, also if a spreadsheet has saved it since. */
export function titleOfWorkbook(bytes: Uint8Array): string | undefined {
  let text: string;
  try {
    const files = unzip(bytes, (name) => name === PROPERTIES, PROPERTIES_BYTES_MAX);
    text = strFromU8(files?.[PROPERTIES] ?? new Uint8Array());
  } catch {
    return undefined;
  }
  const [, creator] = /<dc:creator>(.*?)</.exec(text) ?? [];
  return creator === CREATOR ? /<dc:title>(.*?)</.exec(text)?.[1] : undefined;
}

/** @param rows of at most 26 cells */
export function workbookOf(
  title: WorkbookTitle,
  rows: readonly (readonly string[])[],
): Uint8Array<ArrayBuffer> {
  const sheet = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((text, column) => cell(text, row, column)).join('')}</row>`,
  );
  const parts = {
    ...PARTS,
    [PROPERTIES]: propertiesOf(title),
    'xl/worksheets/sheet1.xml': `${XML}<worksheet xmlns="${MAIN}"><sheetData>${sheet.join('')}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}

function cell(text: string, row: number, column: number): string {
  const address = `${String.fromCharCode(65 + column)}${row + 1}`;
  return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** Writes control characters, which XML cannot have, as `_x0001_`, and escapes texts that look like such an escape. */
const escaped = (text: string) =>
  text
    .replace(/_(?=x[\da-f]{4})/gi, '_x005F_')
    .replace(/(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu, hex)
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const hex = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
