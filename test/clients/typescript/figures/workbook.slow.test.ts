/** The workbook of figures, calculated by LibreOffice: its formulas alone give the figures of the program, to the penny. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { StoredEntry } from '../../../../clients/typescript/books/stored-books.ts';
import { type Cell, workbookOf } from '../../../../clients/typescript/books/workbook.ts';
import { figuresSheets } from '../../../../clients/typescript/figures/sheets.ts';
import { snapshotOf } from '../../../../clients/typescript/figures/snapshot.ts';
import { yearFigures } from '../../../../clients/typescript/figures/year.ts';
import { readXlsx } from '../../../../clients/typescript/import/files/xlsx.ts';
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
];

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

function yearOf(count: number, seed: number) {
  const entries = fc
    .sample(entry, { numRuns: count, seed })
    .map(({ source, category, day, ...rest }, index) => {
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
      refundOf: ({ stored: { id, type } }) =>
        Number(id.slice(1)) % 3 === 0
          ? { type: type === 'income' ? 'expense' : 'income', category: 'other' }
          : undefined,
    },
  );
  return figuresSheets(year, snapshotOf(year, byId));
}

/** @returns the rows of each sheet after the calculation */
async function calculated(name: string, sheets: Record<string, Cell[][]>) {
  const parts = unzipSync(workbookOf('figures', sheets));
  let formulas = 0;
  for (const part of Object.keys(parts)) {
    // Without the values of the program, nothing but the formulas can give them.
    const text = strFromU8(parts[part] as Uint8Array).replace(/<\/f><v>[^<]*<\/v>/g, () => {
      formulas++;
      return '</f>';
    });
    parts[part] = strToU8(text);
  }
  const file = join(folder, `${name}.xlsx`);
  await Bun.write(file, zipSync(parts));
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const process = Bun.spawn(
    ['soffice', profile, '--headless', '--convert-to', 'xlsx', '--outdir', join(folder, 'out'), file],
    { stdout: 'pipe', stderr: 'pipe' },
  );
  expect([await process.exited, await new Response(process.stderr).text()]).toMatchObject([
    0,
    expect.any(String),
  ]);
  const bytes = await Bun.file(join(folder, 'out', `${name}.xlsx`)).bytes();
  const rowsOf = async (sheet: string) => {
    const { rows } = await readXlsx(bytes, sheet, '.', () => true);
    return rows.map(({ cells }) => cells);
  };
  return { formulas, rows: await Promise.all(Object.keys(sheets).map(rowsOf)) };
}

/** The text of a cell with the value that the program gave it. A day has its number, which the reader shows as a day. */
function textOf(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return cell.format === 'day'
    ? new Date(Date.UTC(1899, 11, 30 + Number(cell.value))).toISOString().slice(0, 10)
    : String(Number(cell.value));
}

const isMissing = Bun.which('soffice') === null;

test.skipIf(isMissing).each([
  ['some entries', 400],
  ['50,000 entries', 50_000],
])(
  'formulas give the figures, and texts are texts: %s',
  async (name, count) => {
    const sheets = yearOf(count, 49);
    const { formulas, rows } = await calculated(name, sheets);
    expect(formulas).toBeGreaterThan(count);
    const lineOf = (cells: readonly string[]) => cells.join('|').replace(/\|+$/, '');
    for (const [index, expected] of Object.values(sheets).entries())
      expect(rows[index]?.map(lineOf)).toEqual(expected.map((row) => lineOf(row.map(textOf))));
  },
  600_000,
);
