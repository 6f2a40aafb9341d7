/** Rows that a word or a mark leaves out: a figure that says the opposite makes them invalid, and an answer goes before both. */
import { describe, expect, test } from 'bun:test';
import { lines, readBytes, readText, rowsOf } from './files.ts';
import { csv } from './outcome.ts';
import { workbook } from './workbook.ts';

const HEADER = 'Date,Description,Paid out,Paid in,Balance,Status';
const table = (...rows: string[]) => csv(HEADER, ...rows);
const COUNTED = [
  '13/04/2026,a,60.50,,939.50,Posted',
  '14/04/2026,b,30.00,,909.50,Declined',
  '20/04/2026,c,,600.00,1509.50,Posted',
];

describe('a row that did not happen by its status', () => {
  test('is skipped if the balance does not move at it', async () => {
    const [first = '', second = '', third = ''] = COUNTED;
    const rows = [first, second.replace('909.50', '939.50'), third.replace('1509.50', '1539.50')];
    expect(await rowsOf(table(...rows))).toEqual([[2, 4], [3], []]);
  });

  test.each([
    ['', COUNTED],
    [' with the latest row first', COUNTED.toReversed()],
    [' of a debt', COUNTED.map((row) => row.replace(/,(?=\d+\.\d\d,[A-Z])/, ',-'))],
  ])('contradicts a balance that goes on from it%s', async (_, rows) => {
    const { invalid, skipped } = await readText(table(...rows));
    expect(skipped).toEqual([]);
    expect(invalid).toMatchObject([{ row: 3, option: 'rowMeanings' }]);
    expect(invalid[0]?.message).toMatch(/^Status is Declined. But the balance or another row counts it/);
  });

  test('is a payment or none by an answer', async () => {
    const read = (meaning: 'keep' | 'skip') => readText(table(...COUNTED), { rowMeanings: { 3: meaning } });
    expect(lines(await read('keep'))).toEqual([
      ...['2 2026-04-13 -6050 a', '3 2026-04-14 -3000 b', '4 2026-04-20 +60000 c'],
    ]);
    expect((await read('skip')).skipped).toMatchObject([{ row: 3 }]);
    const values = { Status: { Declined: 'skip', Posted: 'keep' } } as const;
    expect((await readText(table(...COUNTED), { values })).invalid).toEqual([]);
  });

  test('is skipped at the end of the rows, where a bank may show the balance after it', async () => {
    expect(await rowsOf(table(...COUNTED.slice(0, 2)))).toEqual([[2], [3], []]);
  });

  test('is skipped beside the balance of another account', async () => {
    const rows = COUNTED.map((row, at) => `${row},${at === 1 ? 'Savings' : 'Current'}`);
    expect(await rowsOf(csv(`${HEADER},Account`, ...rows))).toEqual([[2, 4], [3], []]);
  });
});

test('a row without an amount contradicts a balance that moves at it, unless a column is left out', async () => {
  const rows = COUNTED.map((row) => row.replace('30.00', '').replace(/,[A-Z]\w+$/, ''));
  const text = csv('Date,Description,Paid out,Paid in,Balance', ...rows);
  expect(await rowsOf(text)).toEqual([[2, 4], [], [3]]);
  expect(await rowsOf(text.replace('909.50', '939.50').replace('1509.50', '1539.50'))).toEqual([
    [2, 4],
    [3],
    [],
  ]);
  const left = csv('Date,Description,Paid out,Paid in,Balance,Fee', ...rows.map((row) => `${row},1.00`));
  expect(await rowsOf(left, { ignore: ['Fee'] })).toEqual([[2, 4], [3], []]);
});

describe('a row that another one takes back', () => {
  const rows = (...amounts: [status: string, out: string, into: string][]) =>
    csv(
      'Date,Description,Paid out,Paid in,Status',
      ...amounts.map(([status, out, into], at) => `${13 + at}/04/2026,a,${out},${into},${status}`),
    );

  test('is no payment by its status, and the other one would be stored alone: it is asked about', async () => {
    const text = rows(['Reversed', '30.00', ''], ['Posted', '', '30.00'], ['Posted', '12.00', '']);
    expect(await rowsOf(text)).toEqual([[3, 4], [], [2]]);
  });

  test.each<[string, Parameters<typeof rows>]>([
    [
      'nothing is opposite to it',
      [
        ['Reversed', '30.00', ''],
        ['Posted', '', '30.01'],
      ],
    ],
    [
      'an equal payment has the opposite',
      [
        ['Failed', '30.00', ''],
        ['Posted', '30.00', ''],
        ['Posted', '', '30.00'],
      ],
    ],
  ])('is none if %s', async (_, amounts) => {
    const [, skipped] = await rowsOf(rows(...amounts));
    expect(skipped).toHaveLength(1);
  });
});

test('a hidden row contradicts a balance that counts it', async () => {
  const header = ['Date', 'Description', 'Paid out', 'Paid in', 'Balance'];
  const row = (serial: number, out: number, into: number, balance: number) => [
    ...[{ dateSerial: serial }, 'x', ...[out, into, balance].map((number) => ({ number: `${number}` }))],
  ];
  const book = (counted: number) => {
    const data = [
      row(46_125, 60.5, 0, 939.5),
      row(46_126, 30, 0, 939.5 - counted),
      row(46_132, 0, 600, 1539.5 - counted),
    ];
    const [one, two, three] = data as [typeof header, typeof header, typeof header];
    return workbook([{ name: 'A', rows: { 1: header, 2: one, 3: two, 4: three }, hiddenRows: [3] }]);
  };
  const read = async (bytes: Uint8Array, answers = {}) => {
    const { entries, skipped, invalid } = await readBytes(bytes, { rowMeanings: answers });
    return [entries, skipped, invalid].map((rows) => rows.map(({ row }) => row));
  };
  expect(await read(book(30))).toEqual([[2, 4], [], [3]]);
  expect(await read(book(30), { 3: 'keep' })).toEqual([[2, 3, 4], [], []]);
  expect(await read(book(0))).toEqual([[2, 4], [3], []]);
});
