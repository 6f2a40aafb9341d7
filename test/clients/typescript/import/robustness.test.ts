/** No input crashes or hangs the reader: it gives a result or an ImportError, the same each time. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BANKS } from '../../../../clients/typescript/import/columns/banks.ts';
import { omittedRows } from '../../../../clients/typescript/import/entries/omitted-rows.ts';
import {
  FILE_SETTINGS,
  ImportError,
  type ImportOptions,
  type ImportResult,
  importFileReader,
  readImportFile,
} from '../../../../clients/typescript/import/index.ts';
import { runs } from '../../../fixtures/runs.ts';
import { SOURCES } from './plan.ts';
import { workbook } from './workbook.ts';

/** Checks what holds of every result, so that a caller can send the entries as they are. */
async function readAnything(bytes: Uint8Array, options: ImportOptions): Promise<void> {
  try {
    const result = await readImportFile(bytes, options);
    const { rowCount, entries, invalid, rowsWithoutEntry } = result;
    const numbers = [...entries, ...omittedRows(result), ...invalid].map(({ row }) => row);
    expect(new Set(numbers).size).toBe(rowCount);
    expect(rowsWithoutEntry.length).toBe(rowCount - entries.length);
    for (const { entry } of entries) {
      expect(entry.date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(entry.amountPence).toBeGreaterThan(0);
      expect(Number.isSafeInteger(entry.amountPence)).toBe(true);
      const texts = `${entry.description}${entry.category}${entry.externalRef}`;
      expect(texts.includes('\0') || !texts.isWellFormed()).toBe(false);
      expect(Array.from(entry.description ?? '').length).toBeLessThanOrEqual(500);
      expect(Array.from(entry.externalRef ?? '').length).toBeLessThanOrEqual(180);
    }
    expect(new Set(entries.map(({ entry }) => entry.externalRef)).size).toBe(entries.length);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    expect(error.message).toMatch(/^[^\n]+\.$/);
  }
}

const typed = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('01/02/2026', '-5', '5.00', '', 'income', 'a\0b', '\ud800'),
);
const correction = fc.record(
  {
    date: typed,
    amount: typed,
    type: typed,
    description: typed,
    category: typed,
    isLeftOut: fc.boolean(),
  },
  { requiredKeys: [] },
);
const options = fc.record(
  {
    format: fc.constantFrom('csv', 'xlsx', 'json', 'ndjson', 'ofx', 'camt', 'qif'),
    dateFormat: fc.constantFrom('dmy', 'mdy', 'ymd'),
    decimal: fc.constantFrom('.', ','),
    bank: fc.constantFrom(...BANKS.map(({ bank }) => bank)),
    encoding: fc.constantFrom(...FILE_SETTINGS.encoding),
    corrections: fc.dictionary(fc.integer({ min: 1, max: 9 }).map(String), correction),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ImportOptions>;

const encoder = new TextEncoder();
const PLACE = 'type is income -> 27 Station Road';
const RENAMED = SOURCES.map((each) => ({ ...each, id: `${each.id}-2` }));

test('random bytes, random texts, and texts of the characters that mean something', async () => {
  const words = [
    ...['Date', 'Amount', 'Details', '2026-04-01', 'sep=', '<OFX>', '<STMTTRN>', '<TRNAMT>', '&#x110000;'],
    ...['!Type:Bank\n', '\n^\n', "\nD1/2'26", '\nT1.00', '<BkToCstmrStmt>', '<Stmt>', '<Ntry>', '</Ntry>'],
    ...['<Amt Ccy="GBP">1.00</Amt>', '</Stmt></BkToCstmrStmt>'],
  ];
  const characters = '",;\n\r\t1-{}[\0\ufeff\'£(\ud800';
  const hostile = fc.array(fc.constantFrom(...characters, ...words), { maxLength: 60 });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary' }).map((text) => encoder.encode(text)),
    hostile.map((parts) => encoder.encode(parts.join(''))),
  );
  await fc.assert(fc.asyncProperty(bytes, options, readAnything), { numRuns: runs(800) });
});

test('tables with a header and random cells', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => `"${text.replaceAll('"', '""')}"`),
    fc.constantFrom('01/02/2026', '2026-04-01', '5', '-5.00', '£1,234.56', '', 'COMPLETED', 'GBP', '46118'),
  );
  const headers = BANKS.filter(({ header }) => header.length > 0).map(({ header }) => header);
  const table = fc
    .constantFrom(...headers, ['Date', 'Type', 'Amount', 'Category', 'Transaction ID', 'Description'])
    .chain((header) =>
      fc
        .array(fc.array(cell, { minLength: header.length - 1, maxLength: header.length + 1 }), {
          maxLength: 8,
        })
        .map((rows) => [header, ...rows].map((cells) => cells.join(',')).join('\n')),
    );
  await fc.assert(
    fc.asyncProperty(table, options, (text, { dateFormat = 'dmy', decimal, bank, corrections }) =>
      readAnything(encoder.encode(text), { dateFormat, decimal, bank, corrections }),
    ),
    { numRuns: runs(300) },
  );
});

test('a workbook with bytes changed', async () => {
  const bytes = workbook([
    { name: 'a', rows: { 1: ['Date', 'Amount'], 2: [{ dateSerial: 46115 }, { number: '1' }] } },
  ]);
  const change = fc.record({
    at: fc.integer({ min: 0, max: bytes.length - 1 }),
    to: fc.integer({ min: 0, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const changed = new Uint8Array(bytes);
      for (const { at, to } of changes) changed[at] = to;
      await readAnything(changed, {});
    }),
    { numRuns: runs(200) },
  );
});

test('one file read with any options after any others gives what reading it anew gives', async () => {
  const bytes = encoder.encode(
    'Date,Details,Amount,Category\n13/02/2026,a,5,\n02/02/2026,b,-6,\n02/02/2026,b,-6,\n14/02/2026,b,-9,\nxx,c,"1,50",\n',
  );
  const correction = fc.record(
    {
      date: fc.constantFrom('03/02/2026', 'x'),
      amount: fc.constantFrom('7', '-7,50', 'x'),
      category: fc.constantFrom('', 'otherIncome', 'b'),
      isLeftOut: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  /** The file is parsed again if one of these changes. */
  const ofFile = {
    dateFormat: fc.constantFrom('dmy', 'dmy', 'dmy', 'mdy', 'dym'),
    decimal: fc.constantFrom('.', ','),
    encoding: fc.constantFrom('utf-8', 'utf-8', 'utf-8', 'utf-16le'),
    accountLabel: fc.constantFrom('1', '2'),
    map: fc.constantFrom({ category: '' }, { category: '' }, { date: 'nowhere' }),
  };
  const ofPerson = {
    categoryIncome: fc.constantFrom('periodAmount', 'periodAmount', 'z'),
    rules: fc.constantFrom('type is expense -> leave out', `${PLACE} / periodAmount`, PLACE, 'nonsense'),
    sources: fc.constantFrom(SOURCES, SOURCES, RENAMED),
    source: fc.constantFrom(...SOURCES.map(({ id }) => id)),
    corrections: fc.dictionary(fc.integer({ min: 2, max: 6 }).map(String), correction),
  };
  const anyOptions = (...records: Record<string, fc.Arbitrary<unknown>>[]) =>
    fc.record(Object.assign({}, ...records), { requiredKeys: [] }) as fc.Arbitrary<ImportOptions>;
  const others = anyOptions(ofFile).chain((same) =>
    fc.array(
      fc.oneof(
        anyOptions(ofPerson).map((each) => ({ ...same, ...each })),
        anyOptions(ofFile, ofPerson),
      ),
      {
        minLength: 2,
        maxLength: 6,
      },
    ),
  );
  let read = 0;
  const outcome = async (result: Promise<ImportResult>) => {
    try {
      return await result;
    } catch (error) {
      return [(error as ImportError).code, (error as ImportError).message];
    }
  };
  await fc.assert(
    fc.asyncProperty(others, async (all) => {
      const again = importFileReader(bytes);
      for (const each of all) {
        const anew = await outcome(readImportFile(bytes, each));
        if ('entries' in anew) read++;
        expect(await outcome(again(each))).toEqual(anew);
      }
    }),
    { numRuns: runs(200) },
  );
  expect(read).toBeGreaterThan(runs(200));
});
