/** References of several amounts in a row: neither the order nor the names of the columns change them. */
import { describe, expect, test } from 'bun:test';
import type { AmountColumns, ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { readText, references } from './files.ts';

const AMOUNTS: AmountColumns[] = [
  { columns: ['Rent'], direction: 'in' },
  { columns: ['Fee', 'VAT'], direction: 'out' },
  { columns: ['Repairs'], direction: 'out' },
];
const HEADER = 'Date,Tenant,Rent,Fee,VAT,Repairs,Net paid';
const ROW = '10/04/2026,Smith,950.00,95.00,19.00,60.00,776.00';
const OPTIONS: ImportOptions = { dateFormat: 'dmy', amounts: AMOUNTS, map: { check: 'Net paid' } };

const read = (rows: readonly string[], options: ImportOptions = OPTIONS) =>
  readText(rows.join('\n'), options);

describe('references', () => {
  const withReference: ImportOptions = { ...OPTIONS, map: { check: 'Net paid', reference: 'No' } };
  const base = [HEADER, ROW, ROW, '11/04/2026,Jones,800.00,,,,800.00'];

  /** The rows with other names and another order of the columns. */
  const moved = (rows: readonly string[], order: readonly number[], rename = (name: string) => name) =>
    rows.map((row, at) => {
      const cells = row.split(',').map((cell) => (at === 0 ? rename(cell) : cell));
      return order.map((index) => cells[index] ?? '').join(',');
    });
  const renamed = (name: string) => ({ Rent: 'Zins', Repairs: 'Arbeiten', Fee: 'Y', VAT: 'X' })[name] ?? name;

  test.each([
    ['derived', base, OPTIONS],
    ['of the file', [`${HEADER},No`, `${ROW},7`, `${ROW.replace('Smith', 'Jones')},8`], withReference],
  ])(
    '%s stay the same in another order of columns and options, with a new blank column, and with new names',
    async (_, rows, options) => {
      const before = references(await read(rows, options));
      expect(new Set(before).size).toBe(before.length);
      const order = (rows[0] ?? '')
        .split(',')
        .map((__, index) => index)
        .reverse();
      expect(references(await read(moved(rows, order), options))).toEqual(before);
      const reversed = { ...options, amounts: AMOUNTS.toReversed() };
      expect(references(await read(rows, reversed))).toEqual(before);
      const added = rows.map((row, at) => `${row},${at === 0 ? 'Adverts' : ''}`);
      const more = { ...options, amounts: [{ columns: ['Adverts'], direction: 'out' as const }, ...AMOUNTS] };
      expect(references(await read(added, more))).toEqual(before);
      const other = {
        ...options,
        amounts: AMOUNTS.map((each) => ({ ...each, columns: each.columns.map(renamed) })),
      };
      expect(references(await read(moved(rows, order.toReversed(), renamed), other))).toEqual(before);
    },
  );

  test('of equal amounts follow their categories, so that a new name exchanges nothing', async () => {
    const entriesOf = async (one: string, two: string) => {
      const { entries } = await read([`Date,${one},${two}`, '10/04/2026,5.00,5.00'], {
        dateFormat: 'dmy',
        amounts: [
          { columns: [one], direction: 'out', category: 'travelCosts' },
          { columns: [two], direction: 'out', category: 'other' },
        ],
      });
      return entries.map(({ entry }) => `${entry.category} ${entry.externalRef}`);
    };
    expect(await entriesOf('A', 'B')).toEqual(await entriesOf('Z', 'B'));
  });

  test('of a row with one amount are those of money in and money out', async () => {
    const rows = ['Date,Text,Rent,Repairs', '10/04/2026,a,5.00,', '11/04/2026,b,,6.00'];
    const several = await read(rows, {
      dateFormat: 'dmy',
      amounts: [
        { columns: ['Repairs'], direction: 'out' },
        { columns: ['Rent'], direction: 'in' },
      ],
      map: { description: 'Text' },
    });
    const pair = await read(rows, {
      dateFormat: 'dmy',
      map: { moneyIn: 'Rent', moneyOut: 'Repairs', description: 'Text' },
    });
    expect(references(several)).toEqual(references(pair));
    expect(several.entries.every(({ part }) => part === undefined)).toBe(true);
  });
});
