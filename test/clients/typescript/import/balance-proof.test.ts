/** A running balance proves the direction and the rows of a table if it follows over all of them, those of a day in any order. */
import { describe, expect, test } from 'bun:test';
import { answered, asked, withoutDates } from './answered.ts';
import { csv } from './outcome.ts';

/** `day amount balance`. The column of words would be a question. */
const table = (...rows: string[]) =>
  csv(
    'Date,Description,Amount,Booked,Balance',
    ...rows.map((row, index) => {
      const [day = '', amount = '', balance = ''] = row.split(' ');
      return `${day}/04/2026,${'abcdef'[index]},${amount},${index % 2 ? 'Yes' : 'No'},${balance}`;
    }),
  );

describe('is a proof:', () => {
  test.each([
    ['rows in order', ['13 60.00 160.00', '14 12.00 172.00', '15 -20.00 152.00']],
    ['the latest row first', ['15 -20.00 152.00', '14 12.00 172.00', '13 60.00 160.00']],
    ['rows of a day in another order', ['13 12.00 172.00', '13 60.00 160.00', '14 -20.00 152.00']],
    ['one balance for each day', ['13 60.00 160.00', '14 12.00 ', '14 5.00 177.00', '15 -20.00 157.00']],
  ])('%s', async (_, rows) => {
    expect(await asked(table(...rows))).toEqual([]);
  });
});

test('a word that says the payment did not happen contradicts the balance, and is asked about', async () => {
  const text = table('13 60.00 160.00', '14 12.00 172.00', '15 -20.00 152.00').replace(',Yes,', ',Declined,');
  expect(await asked(text)).toEqual([expect.stringContaining('values Booked')]);
});

describe('is no proof:', () => {
  test.each([
    ['one balance', ['13 60.00 160.00']],
    [
      'balances of which one does not follow',
      ['13 60.00 160.00', '14 12.00 172.00', '15 -20.00 152.00', '16 5.00 158.00'],
    ],
    ['a row after the last balance', ['13 60.00 160.00', '14 12.00 172.00', '15 -20.00 ']],
  ])('%s', async (_, rows) => {
    expect(await asked(table(...rows))).toEqual(['values Booked', 'direction Amount']);
  });

  test.each([
    [['13 60.00 160.00', '14 12.00 172.00'], ''],
    [['13 60.00 160.00', '14 12.00 172.00', '15 20.00 192.00'], 'Out'],
  ])(
    'of the direction, without a minus: it may be the running total of a list of costs (%p)',
    async (rows, word) => {
      expect(await asked(table(...rows).replace(/,No,/, `,${word || 'No'},`))).toEqual([
        'values Booked',
        'direction Amount',
      ]);
    },
  );
});

const plain = (...rows: string[]) => table(...rows).replace(/,(?:Yes|No|Booked),/g, ',');

test.each([
  [['13 60.00 60.00', '14 12.00 72.00', '15 -20.00 52.00']],
  [['15 -20.00 52.00', '14 12.00 72.00', '13 60.00 60.00']],
  [['13 60.00 60.00', '14 12.00 72.00', '15 20.00 92.00']],
  [['13 12.00 72.00', '13 60.00 60.00', '15 20.00 92.00']],
])(
  'a balance that begins at 0.00 may be the sum of costs, so that the direction is asked about (%p)',
  async (rows) => {
    const text = plain(...rows);
    expect(await asked(text)).toEqual(['direction Amount']);
    expect(await asked(text.replace('Balance', 'Running total'))).toEqual(['direction Amount']);
  },
);

test('a balance that only rises gives no direction, also if it begins at another sum', async () => {
  const text = plain('13 60.00 160.00', '14 12.00 172.00', '15 20.00 192.00');
  expect(await asked(text)).toEqual(['direction Amount']);
  expect(withoutDates(await answered(text, ['moneyOut']))).toEqual(['2 -6000 a', '3 -1200 b', '4 -2000 c']);
});

test('an amount with CR is money back in a column of what was spent', async () => {
  const text = csv('Date,Description,Amount', '13/04/2026,a,60.00', '14/04/2026,b,12.00 CR');
  expect(withoutDates(await answered(text, [], { map: { spent: 'Amount' } }))).toEqual([
    '2 -6000 a',
    '3 +1200 b',
  ]);
});

test('a balance that comes back to 0.00 may be a debt, so that the direction is asked about', async () => {
  const owed = [
    '13 900.00 900.00',
    '14 -900.00 0.00',
    '15 25.00 25.00',
    '16 -25.00 0.00',
    '17 900.00 900.00',
  ];
  expect(await asked(plain(...owed))).toEqual(['direction Amount']);
  const emptyOnce = ['13 60.00 960.00', '14 -960.00 0.00', '15 25.00 25.00'];
  expect(await asked(plain(...emptyOnce))).toEqual([]);
  const sides = csv(
    'Date,Description,Debit,Credit,Balance',
    ...[
      '13/04/2026,a,900.00,,900.00 DR',
      '14/04/2026,b,,900.00,0.00',
      '15/04/2026,c,25.00,,25.00 DR',
      '16/04/2026,d,,25.00,0.00',
    ],
  );
  expect(await asked(sides)).toEqual(['direction Credit', 'direction Debit']);
  expect(withoutDates(await answered(sides, ['moneyIn', 'ignore']))).toEqual([
    ...['2 skipped', '3 +90000 b', '4 skipped', '5 +2500 d'],
  ]);
});
