/** The bytes of a drawn file, and the row number of each line. */
import { strToU8, zipSync } from 'fflate';
import type { Cell, DateStyle, DrawnFile, Line } from './drawn-file.ts';
import { linesOf } from './lines.ts';

export interface Written {
  bytes: Uint8Array;
  lines: readonly Line[];
  /** The number of each line, as the reader counts. */
  rows: readonly number[];
  /** The lines of text around the rows: above the header, and below the rows. */
  around: readonly { row: number; meaning: 'keep' | 'skip' }[];
}

export function write(drawn: DrawnFile): Written {
  const lines = linesOf(drawn);
  switch (drawn.format) {
    case 'ofx':
      return ofx(drawn, lines);
    case 'qif':
      return qif(drawn, lines);
    default:
      return table(drawn, lines);
  }
}

/** Rows of cells with the header, and the lines of text around them. */
function table(drawn: DrawnFile, lines: readonly Line[]): Written {
  const isPence = drawn.unit === 'pence';
  // A text between rows is in the first column, unless that one has amounts or words.
  const at = drawn.columns.findIndex(({ role }) => role === 'date' || role === 'description');
  const alone = (text: string): Cell[] => drawn.columns.map((_, index) => (index === at ? text : ''));
  const texts: Cell[][] = [
    ...drawn.preamble.map(({ text }) => [text]),
    drawn.columns.map(({ name }) => name),
    ...lines.map((line) =>
      line.heading === undefined ? drawn.columns.map(({ cell }) => cell(line)) : alone(line.text),
    ),
    ...drawn.footer.map(alone),
  ];
  const above = drawn.preamble.length + 1;
  const around = [
    ...drawn.preamble.map(
      ({ meaning }, index) => ({ row: index + 1, meaning: meaning === 'skip' ? meaning : 'keep' }) as const,
    ),
    ...drawn.footer.map((_, index) => ({ row: above + lines.length + index + 1, meaning: 'keep' }) as const),
  ];
  const rows = lines.map((_, index) => above + index + 1);
  const width = drawn.columns.length;
  if (drawn.format === 'xlsx')
    return { bytes: workbook(texts, isPence, isFormatted(drawn)), lines, rows, around };
  const written = texts.map((cells) =>
    Array.from({ length: width }, (_, at) => quoted(shown(cells[at] ?? '', drawn), drawn)).join(
      drawn.delimiter,
    ),
  );
  return { bytes: strToU8(`${written.join('\n')}\n`), lines, rows, around };
}

/** Whether only the number format says the unit. */
export const isFormatted = ({ features }: DrawnFile) => features.includes('unit: number format');

export function shown(cell: Cell, drawn: DrawnFile): string {
  if (typeof cell === 'string') return cell;
  if ('day' in cell) return dated(cell.day, drawn.dateStyle);
  const digits =
    drawn.unit === 'pence' ? String(Math.abs(cell.pence)) : (Math.abs(cell.pence) / 100).toFixed(2);
  const isGrouped = drawn.hasThousands && drawn.unit === 'pounds';
  const text = isGrouped ? digits.replace(/\B(?=(\d{3})+\.)/g, ',') : digits;
  if (cell.pence < 0) return { '-': `-${text}`, '()': `(${text})`, behind: `${text}-` }[drawn.minus];
  return cell.mark ? `${text} ${cell.mark}` : text;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dated(day: string, style: DateStyle): string {
  const [y = '', m = '', d = ''] = day.split('-');
  switch (style) {
    case 'iso':
      return day;
    case 'm/d/y':
      return `${m}/${d}/${y}`;
    case 'd Mon y':
      return `${d} ${MONTHS[Number(m) - 1]} ${y}`;
    case 'd.m.y':
      return `${d}.${m}.${y}`;
    case 'd-m-y':
      return `${d}-${m}-${y}`;
    case 'd/m/y':
      return `${d}/${m}/${y}`;
  }
}

function quoted(text: string, { isQuoted, delimiter }: DrawnFile): string {
  const needs = isQuoted || text.includes(delimiter) || text.includes('"');
  return needs ? `"${text.replaceAll('"', '""')}"` : text;
}

function ofx(drawn: DrawnFile, lines: readonly Line[]): Written {
  const amountOf = amountText(drawn);
  const type = drawn.columns.find(({ role }) => role === 'type');
  const payments = lines.map((line, index) => {
    const word = type ? { out: 'DEBIT', in: 'CREDIT' }[line.payments[0]?.direction ?? 'in'] : 'OTHER';
    const facts = `<TRNTYPE>${word}<DTPOSTED>${(line.day ?? '').replaceAll('-', '')}<TRNAMT>${amountOf(line)}`;
    return `<STMTTRN>${facts}<FITID>${index + 1}<NAME>${line.text || 'X'}</STMTTRN>\n`;
  });
  const isCard = drawn.account.type === 'card';
  const [set, statement, account] = isCard
    ? ['CREDITCARDMSGSRSV1', 'CCSTMT', '<CCACCTFROM><ACCTID>4111</CCACCTFROM>']
    : [
        'BANKMSGSRSV1',
        'STMT',
        '<BANKACCTFROM><BANKID>200000<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>',
      ];
  const list = `<BANKTRANLIST><DTSTART>20260101<DTEND>20261231\n${payments.join('')}</BANKTRANLIST>`;
  const head =
    'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n';
  const body = `<OFX><${set}><${statement}TRNRS><TRNUID>1<${statement}RS><CURDEF>GBP${account}${list}</${statement}RS></${statement}TRNRS></${set}></OFX>\n`;
  return { bytes: strToU8(head + body), lines, rows: lines.map((_, index) => index + 1), around: [] };
}

function qif(drawn: DrawnFile, lines: readonly Line[]): Written {
  const amountOf = amountText(drawn);
  const category = drawn.columns.find(({ role }) => role === 'category');
  const named = drawn.account.name;
  const head = [
    ...(named ? ['!Account', `N${named}`, `T${drawn.account.type}`, '^'] : []),
    `!Type:${drawn.account.type}`,
  ];
  const texts: string[] = [...head];
  const rows = lines.map((line) => {
    const row = texts.length + 1;
    texts.push(`D${dated(line.day ?? '', drawn.dateStyle)}`, `T${amountOf(line)}`, `P${line.text || 'X'}`);
    if (category) texts.push(`L${shown(category.cell(line), drawn)}`);
    texts.push('^');
    return row;
  });
  return { bytes: strToU8(`${texts.join('\n')}\n`), lines, rows, around: [] };
}

function amountText(drawn: DrawnFile): (line: Line) => string {
  const column = drawn.columns.find(({ role }) => role === 'amount');
  return (line) => (column ? shown(column.cell(line), { ...drawn, minus: '-', hasThousands: false }) : '');
}

/** A workbook with one sheet: texts, numbers, and days with the format of a date. */
function workbook(rows: readonly (readonly Cell[])[], isPence: boolean, isFormatted: boolean): Uint8Array {
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const cells = rows.map((row, down) => {
    const texts = row.map((cell, at) => {
      const place = `r="${String.fromCharCode(65 + at)}${down + 1}"`;
      if (cell === '') return '';
      if (typeof cell === 'string') return `<c ${place} t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
      if ('day' in cell) return `<c ${place} s="1"><v>${serialOf(cell.day)}</v></c>`;
      if (cell.mark)
        return `<c ${place} t="inlineStr"><is><t>${isPence ? cell.pence : (cell.pence / 100).toFixed(2)} ${cell.mark}</t></is></c>`;
      return `<c ${place} s="${isFormatted ? 3 : isPence ? 0 : 2}"><v>${isPence ? cell.pence : cell.pence / 100}</v></c>`;
    });
    return `<row r="${down + 1}">${texts.join('')}</row>`;
  });
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${cells.join('')}</sheetData></worksheet>`;
  return zipSync({ ...PARTS, 'xl/worksheets/sheet1.xml': strToU8(sheet) }, { level: 0 });
}

const serialOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const PARTS = Object.fromEntries(
  Object.entries({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0&quot;p&quot;"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  }).map(([path, text]) => [path, strToU8(text)]),
);
