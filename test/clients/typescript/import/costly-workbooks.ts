/** Workbooks that are costly to read for their size, and a usual one. `size` is that of the XML in them. */
import { strToU8, zipSync } from 'fflate';
import type { File } from './costly-files.ts';
import { archive, bookParts, sheetXml, stylesXml } from './workbook.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
const STRINGS = 'xl/sharedStrings.xml';
const HEADER =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>Date</t></is></c><c r="B1" t="inlineStr"><is><t>Amount</t></is></c></row>';

const book =
  (parts: Record<string, string>): File =>
  () =>
    archive({ ...bookParts(['a']), ...parts });
const sheet = (rows: string): File => book({ [SHEET]: sheetXml(HEADER + rows) });

/** A sheet of `unit`s between `head` and `tail`. */
const repeated =
  (unit: string, head = '', tail = ''): File =>
  (size) =>
    sheet(head + unit.repeat(size / unit.length) + tail)(size);

const counted =
  (unit: (row: number) => string): File =>
  (size) => {
    const units: string[] = [];
    for (let length = 0; length < size; length += units.at(-1)?.length ?? 1)
      units.push(unit(units.length + 2));
    return sheet(units.join(''))(size);
  };

const cell = (address: string) => `<row r="2"><c r="${address}"><v>1</v></c></row>`;
const strings = (text: string, count = 1) => `<sst>${`<si><t>${text}</t></si>`.repeat(count)}</sst>`;
const sharedRow = (row: number) =>
  `<row r="${row}"><c r="A${row}" t="s"><v>0</v></c><c r="B${row}" t="s"><v>0</v></c></row>`;

/** Sheets that are all the same file, or each a file of its own. */
const sheets = (count: number, rows: string): File => {
  const names = Array.from({ length: count }, (_, n) => `sheet ${n}`);
  const files = names.map((_, n) => [`xl/worksheets/sheet${n + 1}.xml`, sheetXml(rows)]);
  return () => archive({ ...bookParts(names), ...Object.fromEntries(files) });
};

/** Changes the directory of an archive at each of its files. */
function withDirectory(bytes: Uint8Array, change: (view: DataView, at: number) => void): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  for (let at = 0; at < copy.length - 4; at++) if (view.getUint32(at, true) === 0x02014b50) change(view, at);
  return copy;
}

/** An archive that says that it unpacks to a few bytes. */
const lying: File = (size) => {
  const bytes = sheet(' '.repeat(size * 20))(size);
  return withDirectory(bytes, (view, at) => view.setUint32(at + 24, 10, true));
};

/** Many files in the directory that are the same bytes. */
const overlapping: File = (size) => {
  const names = Array.from({ length: 500 }, (_, n) => `xl/${String(n).padStart(4, '0')}.xml`);
  const [large = ''] = names;
  const content = strToU8('x'.repeat(size));
  const files = Object.fromEntries(names.map((name) => [name, name === large ? content : strToU8('')]));
  const bytes = zipSync(files, { level: 0 });
  return withDirectory(bytes, (view, at) => {
    view.setUint32(at + 42, 0, true);
    view.setUint32(at + 20, content.length, true);
    view.setUint32(at + 24, content.length, true);
  });
};

export const usualWorkbook: File = counted(
  (row) =>
    `<row r="${row}" spans="1:3"><c r="A${row}" s="1"><v>${46_000 + (row % 300)}</v></c><c r="B${row}"><v>-${row % 500}.5</v></c><c r="C${row}" t="inlineStr"><is><t>Payment ${row % 300}</t></is></c></row>`,
);

export const COSTLY_WORKBOOKS: Record<string, File> = {
  'a wide row and a late row': sheet(`${cell('XFD2')}<row r="100000"><c r="A100000"><v>1</v></c></row>`),
  'a sheet of another path': book({
    'xl/_rels/workbook.xml.rels': (bookParts(['a'])['xl/_rels/workbook.xml.rels'] ?? '').replace(
      'worksheets/',
      '',
    ),
    'xl/sheet1.xml': sheetXml(cell('XFD1048576')),
  }),
  'late rows in many sheets': sheets(100, '<row r="100000"/>'),
  'very many sheets': sheets(1_900, ''),
  'empty rows': repeated('<row/>'),
  'rows of a cell': counted((row) => `<row r="${row}"><c r="A${row}"><v>1</v></c></row>`),
  'empty cells': (size) => sheet(`<row r="2">${'<c r="A2"/>'.repeat(size / 11)}</row>`)(size),
  'a long text': repeated('x', '<row r="2"><c r="A2" t="inlineStr"><is><t>', '</t></is></c></row>'),
  'runs of a text': repeated('<r><t>x</t></r>', '<row r="2"><c r="A2" t="inlineStr"><is>', '</is></c></row>'),
  'comments without an end': repeated('<!--'),
  'a long CDATA section': repeated('<', '<![CDATA[', ']]>'),
  'a tag of spaces': repeated(' ', '<row', '/>'),
  'a tag of quotes': repeated('"', '<row ', '/>'),
  'a tag of attributes': repeated('a="1" ', '<row ', '/>'),
  'a tag that never ends': repeated('a', '<row'),
  'long numbers': (size) =>
    sheet(`<row r="2"><c r="B2"><v>${'1'.repeat(30_000)}x</v></c></row>`.repeat(size / 30_000))(size),
  entities: repeated('&amp;', '<row r="2"><c r="A2" t="inlineStr"><is><t>', '</t></is></c></row>'),
  'elements in elements': repeated('<a>'),
  'a text of a cell that many cells share': (size) =>
    book({
      [STRINGS]: strings('x'.repeat(30_000)),
      [SHEET]: sheetXml(HEADER + Array.from({ length: size / 90 }, (_, n) => sharedRow(n + 2)).join('')),
    })(size),
  'very many shared texts': (size) =>
    book({ [STRINGS]: strings('', size / 16), [SHEET]: sheetXml(HEADER) })(size),
  'very many number formats': (size) =>
    book({
      'xl/styles.xml': stylesXml('<numFmt numFmtId="200" formatCode="yyyy"/>'.repeat(size / 42)),
      [SHEET]: sheetXml(HEADER),
    })(size),
  'an archive that lies about its size': lying,
  'files that are the same bytes': overlapping,
  'very many files': () =>
    archive({
      ...bookParts(['a']),
      ...Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`${n}.xml`, ''])),
      [SHEET]: sheetXml(HEADER),
    }),
};
