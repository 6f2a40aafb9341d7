/** Relations of all rows of a file: it is in itself again, each row has its opposite, or a person has added a sum. */
import { describe, expect, test } from 'bun:test';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { answered, withoutDates } from './answered.ts';
import { camt, camtEntry, csv, ofx, payment } from './outcome.ts';

/** `day description amount` of a bank account. */
const table = (...rows: string[]) =>
  csv(
    'Date,Description,Amount',
    ...rows.map((row) => {
      const [day = '', text = '', amount = ''] = row.split(' ');
      return `${day}/04/2026,${text},${amount}`;
    }),
  );
const map = { amount: 'Amount' };
const read = async (text: string, options: ImportOptions = {}) =>
  withoutDates(await answered(text, [], options)).map((row) => row.replace('invalid rowMeanings', 'asked'));

test('a sum at an end of the file of a bank, without a word for it', async () => {
  const header = 'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP)';
  const rows = ['13/04/2026,a,,FP,-60.00,', '14/04/2026,b,,FP,-12.00,', '15/04/2026,c,,FP,-7.00,'];
  const sum = '16/04/2026,Summe,,,-79.00,';
  expect((await read(csv(header, ...rows, sum))).at(-1)).toBe('5 asked');
  expect((await read(csv(header, sum, ...rows))).at(0)).toBe('2 asked');
  const income = '15/04/2026,Rent,,FP,900.00,';
  expect((await read(csv(header, ...rows, income, sum))).at(-1)).toBe('6 asked');
});

describe('a file that is in itself again:', () => {
  const days = ['13 A 60.00', '14 B -12.00', '15 C -5.00'];
  test.each<[string, string[], number[]]>([
    ['three times', [...days, ...days, ...days], [5, 6, 7, 8, 9, 10]],
    ['row by row', days.flatMap((day) => [day, day]), [3, 5, 7]],
    ['with a payment that was there twice', [...days, '15 C -5.00', ...days, '15 C -5.00'], [6, 7, 8, 9]],
  ])('%s', async (_, rows, found) => {
    const all = await read(table(...rows), { map });
    expect(all.filter((row) => row.includes('asked'))).toEqual(found.map((row) => `${row} asked`));
  });

  test('in CAMT and in OFX, whatever their ids', async () => {
    const camtRows = [1, 2, 3, 1, 2, 3].map((pounds) => camtEntry(`${pounds}.00`)).join('');
    const file = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${camt(camtRows)}</BkToCstmrStmt></Document>`;
    expect((await read(file)).slice(3)).toEqual(['4 asked', '5 asked', '6 asked']);
    expect((await read(file, { rowMeanings: { 4: 'skip', 5: 'keep', 6: 'skip' } })).slice(3)).toEqual([
      ...['4 skipped', '5 +200', '6 skipped'],
    ]);
    const ofxRows = [1, 2, 3, 1, 2, 3].map((pounds, id) => payment('DEP', `${pounds}.00`, `${id}`)).join('');
    expect((await read(ofx(ofxRows))).slice(3)).toEqual(['4 asked', '5 asked', '6 asked']);
  });

  test('but not two equal flats, with two amounts', async () => {
    const flats = ['01 Rent 500.00', '01 Rent 500.00', '15 Fee -50.00', '15 Fee -50.00'];
    expect((await read(table(...flats), { map })).join()).not.toContain('invalid');
  });
});

test('what a tenant owes and pays, on any days, if each row has its opposite', async () => {
  const rows = ['13 Due -60.00', '14 Due -70.00', '15 Paid 60.00', '17 Paid 70.00'];
  expect((await read(table(...rows), { map })).join()).toBe('2 asked,3 asked,4 asked,5 asked');
  expect((await read(table(...rows, '18 Fee -1.00'), { map })).join()).not.toContain('invalid');
});
