/** The workbook of figures, calculated by LibreOffice: its formulas alone give the figures of the program, to the penny. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { type Cell, type NumberCell, workbookOf } from '../../../../clients/typescript/export/workbook.ts';
import { categoryLabels } from '../../../../clients/typescript/figures/naming.ts';
import { figuresSheets } from '../../../../clients/typescript/figures/sheets.ts';
import { snapshotOf } from '../../../../clients/typescript/figures/snapshot.ts';
import { yearFigures } from '../../../../clients/typescript/figures/year.ts';
import { readXlsx } from '../../../../clients/typescript/import/files/xlsx.ts';
import type { StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import { CATEGORIES, ENTRY_TYPES, type SourceType } from '../../../../proto/domain.ts';
import { sourceOf } from '../sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'figures-workbook-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Names and texts that a spreadsheet could take for formulas, patterns or conditions. */
const SOURCES = [
  sourceOf('a1', { name: '=1+1' }),
  sourceOf('a2', { name: '*', sharePercent: 50 }),
  sourceOf('a3', { name: '>0', sharePercent: 33.3333 }),
  sourceOf('f1', { name: '*', type: 'foreign-property', countryCode: 'FR', sharePercent: 66.67 }),
  sourceOf('f2', { name: 'Roma', type: 'foreign-property', countryCode: 'IT', sharePercent: 0.0001 }),
  sourceOf('s1', { name: '*', type: 'self-employment' }),
];
const TEXTS = [
  ...[
    '=1+1',
    '+44 20',
    '-5',
    '@SUM(A1)',
    "'=2",
    '<b>&amp;',
    '12.50',
    '2026-04-06',
    'a\u0000b',
    '_x0041_',
    '',
  ],
];

/** Of other software, to the penny: they are added to a share of the entries. */
const STATED = [
  { type: 'income', category: 'periodAmount', pence: 1_234_567_89n },
  { type: 'expense', category: 'other', pence: -1_03n },
] as const;

const entry = fc.record({
  source: fc.constantFrom(...SOURCES),
  type: fc.constantFrom(...ENTRY_TYPES),
  category: fc.nat(),
  amountPence: fc.oneof(
    fc.integer({ min: 1, max: 99 }),
    fc.integer({ min: 1, max: 10 ** 9 }),
    fc.integer({ min: 1, max: 10 ** 12 }),
  ),
  day: fc.integer({ min: 0, max: 364 }),
  description: fc.constantFrom(...TEXTS),
});

function sheetsOfSample() {
  const sample = fc.sample(entry, { numRuns: 400, seed: 49 });
  const entries = sample.map(({ source, category, day, ...rest }, index) => {
    // A number of no category leaves the entry without one: the third of these is a refund.
    const keys = [null, null, ...CATEGORIES[source.type as SourceType][rest.type].map(({ key }) => key)];
    const date = new Date(Date.UTC(2026, 3, 6 + day)).toISOString().slice(0, 10);
    const stored = { ...rest, id: `e${index}`, date, category: keys[category % keys.length] ?? null };
    return { stored: { ...stored, externalRef: `=ref ${index}` }, source } satisfies StoredEntry;
  });
  const byId = new Map(entries.map((each) => [each.stored.id, each]));
  const of = { quarter: undefined, quarters: 'standard', lastYear: undefined } as const;
  const year = yearFigures(
    { sources: SOURCES, byId },
    { ...of, start: 2026, today: '2026-05-01' },
    {
      entriesAre: ({ id }) => (id === 'f1' ? 'share' : undefined),
      sumsOf: ({ id }) => (id === 'a3' ? { to: '2026-06-30', sums: [...STATED] } : undefined),
      refundOf: ({ stored: { id, type } }) =>
        Number(id.slice(1)) % 3 === 0
          ? { type: type === 'income' ? 'expense' : 'income', category: 'other' }
          : undefined,
    },
  );
  return figuresSheets(year, snapshotOf(year, byId), categoryLabels(CATEGORIES));
}

/** The workbook as LibreOffice saves it. In the file that it opens, formulas have no values: nothing else can give them. */
async function calculated(workbook: Uint8Array): Promise<Uint8Array> {
  const parts = Object.entries(unzipSync(workbook)).map(([part, bytes]) => [
    part,
    strToU8(strFromU8(bytes).replaceAll(/<\/f><v>[^<]*<\/v>/g, '</f>')),
  ]);
  const file = join(folder, 'figures.xlsx');
  await Bun.write(file, zipSync(Object.fromEntries(parts), { level: 1 }));
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const out = join(folder, 'out');
  const process = Bun.spawn(
    ['soffice', profile, '--headless', '--convert-to', 'xlsx', '--outdir', out, file],
    { stdout: 'ignore', stderr: 'ignore' },
  );
  expect(await process.exited).toBe(0);
  return Bun.file(join(out, 'figures.xlsx')).bytes();
}

const isFormula = (cell: Cell): cell is NumberCell => typeof cell !== 'string' && cell.formula !== undefined;

/** The text of a cell, as the reader of workbooks has it. */
function textOf(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return cell.format === 'day'
    ? new Date(Date.UTC(1899, 11, 30 + Number(cell.value))).toISOString().slice(0, 10)
    : String(Number(cell.value));
}

test.skipIf(Bun.which('soffice') === null)(
  'LibreOffice calculates the figures of 400 entries by the formulas alone, and has every text as it was',
  async () => {
    const sheets = sheetsOfSample();
    const bytes = await calculated(workbookOf('figures', sheets));
    const parts = unzipSync(bytes);
    for (const [index, [name, rows]] of Object.entries(sheets).entries()) {
      const xml = strFromU8(parts[`xl/worksheets/sheet${index + 1}.xml`] as Uint8Array);
      const values = Array.from(xml.matchAll(/<\/f><v>([^<]*)<\/v>/g), ([, value]) => Number(value));
      const wanted = rows.flat().flatMap((cell) => (isFormula(cell) ? Number(cell.value) : []));
      expect(wanted.length).toBeGreaterThan(20);
      expect(values.join()).toBe(wanted.join());
      const read = await readXlsx(bytes, name, '.', () => true);
      const lineOf = (cells: readonly string[]) => cells.join('|').replace(/\|+$/, '');
      expect(read.rows.map(({ raw }) => lineOf(raw))).toEqual(rows.map((row) => lineOf(row.map(textOf))));
    }
  },
  600_000,
);
