/** Workbooks that are costly to read for their size, and a usual one. `size` is that of the XML in them. */
import { strToU8, zipSync } from 'fflate';
import { type File, repeated } from './costly-files.ts';
import { archive, bookParts, sheetXml, stylesXml } from './workbook.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
const HEADER =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>Date</t></is></c><c r="B1" t="inlineStr"><is><t>Amount</t></is></c></row>';
const TEXT = ['<row r="2"><c r="A2" t="inlineStr"><is><t>', '</t></is></c></row>'] as const;

const book = (rows: string, parts: Record<string, string> = {}) =>
  archive({ ...bookParts(['a']), [SHEET]: sheetXml(HEADER + rows), ...parts });

/** A sheet of `unit`s between `head` and `tail`. The second row is the first of them. */
const sheet =
  (unit: string | ((row: number) => string), head = '', tail = ''): File =>
  (size) => {
    const unitOf = typeof unit === 'string' ? unit : (index: number) => unit(index + 2);
    return book(new TextDecoder().decode(repeated(unitOf, head, tail)(size)));
  };

/** Sheets of the same rows, each a file of its own. */
const sheets = (count: number, rows: string): File => {
  const names = Array.from({ length: count }, (_, n) => `sheet ${n}`);
  const files = names.map((_, n) => [`xl/worksheets/sheet${n + 1}.xml`, sheetXml(rows)]);
  return () => archive({ ...bookParts(names), ...Object.fromEntries(files) });
};

/** Many files in the directory that are the same bytes. */
const overlapping: File = (size) => {
  const content = strToU8('x'.repeat(size));
  const names = Array.from({ length: 500 }, (_, n) => `xl/${String(n).padStart(4, '0')}.xml`);
  const files = names.map((name, n) => [name, n === 0 ? content : strToU8('')]);
  const bytes = zipSync(Object.fromEntries(files), { level: 0 });
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length - 4; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    for (const [field, value] of [
      [42, 0],
      [20, content.length],
      [24, content.length],
    ] as const)
      view.setUint32(at + field, value, true);
  }
  return bytes;
};

const shared = (text: string, count = 1) => ({
  'xl/sharedStrings.xml': `<sst>${`<si><t>${text}</t></si>`.repeat(count)}</sst>`,
});
const sharedRow = (_: unknown, n: number) =>
  `<row r="${n + 2}"><c r="A${n + 2}" t="s"><v>0</v></c><c r="B${n + 2}" t="s"><v>0</v></c></row>`;

export const usualWorkbook: File = sheet(
  (row) =>
    `<row r="${row}" spans="1:3"><c r="A${row}" s="1"><v>${46_000 + (row % 300)}</v></c><c r="B${row}"><v>-${row % 500}.5</v></c><c r="C${row}" t="inlineStr"><is><t>Payment ${row % 300}</t></is></c></row>`,
);

export const COSTLY_WORKBOOKS: Record<string, File> = {
  'a wide row and a late row': () =>
    book('<row r="2"><c r="XFD2"><v>1</v></c></row><row r="100000"><c r="A100000"><v>1</v></c></row>'),
  'late rows in many sheets': sheets(100, '<row r="100000"/>'),
  'very many sheets': sheets(1_900, ''),
  'empty rows': sheet('<row/>'),
  'empty cells': sheet('<c r="A2"/>', '<row r="2">', '</row>'),
  'a long text': sheet('x', ...TEXT),
  'comments without an end': sheet('<!--'),
  'a long CDATA section': sheet('<', '<![CDATA[', ']]>'),
  'a tag of attributes': sheet('a="1" ', '<row ', '/>'),
  'a tag that never ends': sheet('a', '<row'),
  'long numbers': sheet(`<row r="2"><c r="B2"><v>${'1'.repeat(30_000)}x</v></c></row>`),
  'elements in elements': sheet('<a>'),
  'a text of a cell that many cells share': (size) =>
    book(Array.from({ length: size / 90 }, sharedRow).join(''), shared('x'.repeat(30_000))),
  'very many shared texts': (size) => book('', shared('', size / 16)),
  'very many number formats': (size) => {
    const formats = '<numFmt numFmtId="200" formatCode="yyyy"/>'.repeat(size / 42);
    return book('', { 'xl/styles.xml': stylesXml(formats) });
  },
  'files that are the same bytes': overlapping,
  'very many files': () =>
    book('', Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`${n}.xml`, '']))),
};
