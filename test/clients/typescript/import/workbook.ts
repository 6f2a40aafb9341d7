/** Builds small XLSX workbooks for tests. Dates are serial numbers with a date style; all other numbers are the texts of the file. */
import { strToU8, zipSync } from 'fflate';

export type WorkbookCell = string | null | { number: string } | { dateSerial: number };
interface WorkbookSheet {
  name: string;
  /** The rows by their numbers, from 1. */
  rows: Record<number, WorkbookCell[]>;
  hiddenRows?: readonly number[] | undefined;
  isHidden?: boolean;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** @param options the format of all numbers, and whether days count from 1904 */
export function workbook(
  sheets: WorkbookSheet[],
  { format, is1904 = false }: { format?: string | undefined; is1904?: boolean | undefined } = {},
): Uint8Array {
  const names = sheets.map(({ name }) => name);
  const parts = sheets.map(({ rows, hiddenRows = [] }, index) => [
    `xl/worksheets/sheet${index + 1}.xml`,
    sheetXml(
      Object.entries(rows)
        .map(([row, cells]) => rowXml(row, cells, hiddenRows.includes(Number(row)), format !== undefined))
        .join(''),
    ),
  ]);
  const book = bookParts(names);
  const hidden = sheets.flatMap(({ isHidden }, index) => (isHidden ? [`sheetId="${index + 1}"`] : []));
  const styles = format === undefined ? '' : `<numFmt numFmtId="200" formatCode="${escapeXml(format)}"/>`;
  const properties = is1904 ? '<workbookPr date1904="1"/><sheets>' : '<sheets>';
  return archive({
    ...book,
    'xl/styles.xml': stylesXml(styles),
    'xl/workbook.xml': hidden.reduce(
      (xml, id) => xml.replace(id, `${id} state="hidden"`),
      `${book['xl/workbook.xml']}`.replace('<sheets>', properties),
    ),
    ...Object.fromEntries(parts),
  });
}

/** The archive of these files. */
export function archive(parts: Record<string, string>): Uint8Array {
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(DECLARATION + text)])),
  );
}

export function sheetXml(rows: string): string {
  return `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;
}

/** All parts of a workbook but its sheets, by their paths. */
export function bookParts(names: string[]): Record<string, string> {
  return {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${names.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}<Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="strings" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': stylesXml(''),
  };
}

export function stylesXml(formats: string): string {
  return `<styleSheet xmlns="${MAIN}"><numFmts>${formats}</numFmts><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="200"/></cellXfs></styleSheet>`;
}

function rowXml(row: string, cells: WorkbookCell[], isHidden: boolean, isFormatted: boolean): string {
  const xml = cells.map((cell, index) => cellXml(cell, String.fromCharCode(65 + index) + row, isFormatted));
  return `<row r="${row}"${isHidden ? ' hidden="1"' : ''}>${xml.join('')}</row>`;
}

function cellXml(cell: WorkbookCell, address: string, isFormatted: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'string') {
    return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  }
  if ('number' in cell) {
    const style = isFormatted ? ' s="2"' : '';
    return `<c r="${address}"${style}><v>${cell.number}</v></c>`;
  }
  return `<c r="${address}" s="1"><v>${cell.dateSerial}</v></c>`;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
