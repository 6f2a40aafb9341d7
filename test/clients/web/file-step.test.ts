/** What the File step says of a file, and the columns that a person settles, without a browser. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ImportError,
  type ImportOptions,
  readStatement,
} from '../../../clients/typescript/import/index.ts';
import { columnsOf, mapFor, readingFor, type Use } from '../../../clients/web/import/column-names.ts';
import { daysText } from '../../../clients/web/import/period.ts';
import type { Reading } from '../../../clients/web/import/state.ts';
import { recognisedText } from '../../../clients/web/import/words.ts';

const read = (text: string, options: ImportOptions = {}) =>
  readStatement(new TextEncoder().encode(text), { fileName: 'file.csv', ...options });

describe('the columns', () => {
  test('are named by their header where that is the only one, else by their number', () => {
    const names = ['Date', 'Amount', 'amount', 'Text', '2026'];
    expect(mapFor(undefined, 'date', 0, names)).toEqual({ date: 'Date' });
    expect(mapFor({ date: 'Date' }, 'amount', 2, names)).toEqual({
      date: 'Date',
      amount: '3',
      moneyIn: '',
      moneyOut: '',
    });
    const pair = { amount: '3', moneyIn: '', moneyOut: '' };
    expect(mapFor(pair, 'moneyIn', 4, names)).toEqual({ moneyIn: '5' });
  });

  const RENTS = `Date,Tenant,Rent Due,Rent Paid,Expenses
01/10/2026,Patel,1025,1025,
13/10/2026,Plumber,,,120.50
`;
  /** As the page reads the file: a problem is kept beside the settings. */
  async function readWith(reading: Reading) {
    try {
      return { reading, problem: undefined, result: await read(RENTS, reading) };
    } catch (error) {
      return { reading, problem: error as ImportError, result: undefined };
    }
  }
  const usesOf = (state: Parameters<typeof columnsOf>[0]) =>
    columnsOf(state).map(({ name, use, isUnsettled }) => `${name}: ${use}${isUnsettled ? '!' : ''}`);

  test('that nobody has settled stand against reading the file, until a person says what they are', async () => {
    let state: Parameters<typeof columnsOf>[0] = await readWith({});
    expect(usesOf(state)).toEqual([
      'Date: date',
      'Tenant: description',
      'Rent Due: open!',
      'Rent Paid: open!',
      'Expenses: moneyOut',
    ]);
    expect(columnsOf(state)[2]?.values).toEqual(['1025']);
    const choose = async (name: string, use: Use) => {
      const columns = columnsOf(state);
      const index = columns.findIndex((column) => column.name === name);
      state = await readWith({ ...state.reading, ...readingFor(state.reading, columns, index, use) });
    };
    await choose('Rent Due', 'none');
    expect(usesOf(state).slice(2, 4)).toEqual(['Rent Due: none', 'Rent Paid: open!']);
    await choose('Rent Paid', 'moneyIn');
    expect(state.problem).toBeUndefined();
    expect(usesOf(state).slice(2)).toEqual(['Rent Due: none', 'Rent Paid: moneyIn', 'Expenses: moneyOut']);
    expect(state.result?.entries.map(({ entry }) => [entry.type, entry.amountPence])).toEqual([
      ['income', 102_500],
      ['expense', 12_050],
    ]);
    await choose('Rent Due', 'moneyIn');
    expect(usesOf(state).slice(2, 4)).toEqual(['Rent Due: moneyIn', 'Rent Paid: open!']);
    await choose('Tenant', 'reference');
    expect(state.reading.map).toMatchObject({ description: '', reference: 'Tenant' });
    expect(usesOf(state)[1]).toBe('Tenant: reference');
    await choose('Rent Paid', 'none');
    await choose('Expenses', 'none');
    expect(usesOf(state).slice(2)).toEqual(['Rent Due: moneyIn', 'Rent Paid: none', 'Expenses: none']);
    expect(state.result?.entries.map(({ entry }) => entry.amountPence)).toEqual([102_500]);
  });
});

test('what was recognised is said in one line', async () => {
  const bytes = readFileSync(join(import.meta.dir, '../files/monzo.csv'));
  const result = await readStatement(bytes, { fileName: 'monzo.csv' });
  const text = 'Monzo, 6 rows, 1 April 2026 to 3 April 2026. 1 row is skipped.';
  expect(recognisedText(result, 0)).toBe(text);
  expect(recognisedText(result, 2)).toBe(`${text} 2 rows to correct on the next step.`);
  expect(recognisedText(await read('Date,Description,Amount\n'), 0)).toBe('CSV file, 0 rows.');
  expect(daysText(result.entries)).toMatch(/Apr .*2026/);
});
