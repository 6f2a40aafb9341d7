/** Airbnb's earnings: the gross and the fee of a reservation, in one pass. */
import { expect, test } from 'bun:test';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { lines, readText, references } from './files.ts';
import { plan, planned, problems } from './plan.ts';

const HEADER =
  'Date,Arriving by date,Type,Confirmation code,Booking date,Start date,End date,Nights,Guest,Listing,Details,Reference code,Currency,Amount,Paid out,Service fee,Cleaning fee,Gross earnings,Occupancy taxes,Earnings year';
interface Row {
  type?: string;
  code?: string;
  listing?: string;
  details?: string;
  currency?: string;
  amount?: string;
  paidOut?: string;
  fee?: string;
  gross?: string;
}
const rowOf = (date: string, row: Row = {}) => {
  const { type = 'Reservation', code = 'HM1', listing = 'Sea view', details = '', currency = 'GBP' } = row;
  const { amount = '558.42', paidOut = '', fee = '17.27', gross = '575.69' } = row;
  const guest = code === '' ? '' : 'Ann';
  return `${date},,${type},${code},,,,,${guest},${listing},${details},,${currency},${amount},${paidOut},${fee},40.00,${gross},0.00,2026`;
};
const payout = (date: string) =>
  rowOf(date, {
    type: 'Payout',
    code: '',
    listing: '',
    details: 'Transfer',
    amount: '',
    paidOut: '558.42',
    fee: '',
    gross: '',
  });
const read = (rows: readonly string[], options: ImportOptions = {}) =>
  readText([HEADER, ...rows].join('\n'), options);

test('a reservation gives its gross and its fee, month first; a payout only moves the money', async () => {
  const result = await read([payout('10/02/2026'), rowOf('10/02/2026')]);
  expect(lines(result)).toEqual([
    '3 2026-10-02 +57569 Reservation - Sea view - HM1 - Ann',
    '3 2026-10-02 -1727 Reservation - Sea view - HM1 - Ann',
  ]);
  expect(result.skipped).toEqual([{ row: 2, reason: 'Type is Payout, which only moves the money.' }]);
  expect(result).toMatchObject({
    recognised: { bank: 'airbnb' },
    invalid: [],
    statements: [{ rows: [{ pence: 55_842 }] }],
  });
});

test('each amount in euros is converted on its own, and the references do not depend on the rate', async () => {
  const rows = [rowOf('10/02/2026', { currency: 'EUR' })];
  const rates = (rate: string) => ({ rates: `month,currency,pounds per unit\n2026-10,EUR,${rate}\n` });
  const result = await read(rows, rates('0.8612'));
  expect(lines(result)).toEqual([
    '2 2026-10-02 +49578 Reservation - Sea view - HM1 - Ann - EUR 575.69 at 0.8612 GBP per EUR',
    '2 2026-10-02 -1487 Reservation - Sea view - HM1 - Ann - EUR 17.27 at 0.8612 GBP per EUR',
  ]);
  expect(result.entries.map(({ conversion }) => conversion?.pence)).toEqual([55_842, 55_842]);
  expect(references(await read(rows, rates('0.9')))).toEqual(references(result));
  await expect(read([...rows, ...rows])).rejects.toThrow('None of the 2 payments can be read');
});

test('rows with one confirmation code are several: months of a long stay, and adjustments, whose amount is alone', async () => {
  const adjustment = rowOf('12/15/2026', {
    type: 'Resolution Adjustment',
    amount: '-30.00',
    fee: '',
    gross: '',
  });
  const result = await read([rowOf('10/02/2026'), rowOf('11/02/2026'), adjustment]);
  expect(problems(result)).toEqual([]);
  expect(lines(result).slice(2)).toEqual([
    '3 2026-11-02 +57569 Reservation - Sea view - HM1 - Ann',
    '3 2026-11-02 -1727 Reservation - Sea view - HM1 - Ann',
    '4 2026-12-15 -3000 Resolution Adjustment - Sea view - HM1 - Ann',
  ]);
  const [first] = references(result);
  expect(references(await read([rowOf('10/02/2026')]))[0]).toBe(first as string);
});

test('another name of the listing changes no reference', async () => {
  const renamed = await read([rowOf('10/02/2026', { listing: 'Sea view & pool' })]);
  expect(references(renamed)).toEqual(references(await read([rowOf('10/02/2026')])));
});

test('a row whose amounts do not add up is invalid, also with a fee that the layout does not have', async () => {
  const result = await read([rowOf('10/02/2026', { amount: '550.00' })]);
  expect(problems(result)).toEqual([
    '2 amount: The amounts of the row add up to 558.42, and "Amount" is 550.00.',
  ]);
});

test('a fee of a fast payout is part of the fee, in files that have it', async () => {
  const rows = [
    HEADER.replace('Service fee,', 'Service fee,Fast pay fee,'),
    rowOf('10/02/2026', { amount: '550.00', fee: '17.27,8.42' }),
  ];
  expect(lines(await readText(rows.join('\n'))).map((line) => line.split(' ')[2])).toEqual([
    '+57569',
    '-2569',
  ]);
});

test('dates of another order are a question, and rows before the month are not guessed', async () => {
  await expect(read([rowOf('25/12/2026')])).rejects.toThrow(
    'has the day first, and the bank writes the month first; choose the order.',
  );
});

test('rules and options decide about categories and the property', async () => {
  const rules = [
    '"Sea view" and type is income -> 12 Acacia Avenue / periodAmount',
    'type is expense -> professionalFees',
  ];
  const expected = [
    '2#1 12 Acacia Avenue / periodAmount +575.69',
    '2#2 12 Acacia Avenue / professionalFees -17.27',
  ];
  expect(planned(await plan(rules, [rowOf('10/02/2026')], { header: HEADER }))).toEqual(expected);
  const result = await plan(rules.slice(0, 1), [rowOf('10/02/2026')], {
    header: HEADER,
    amounts: [
      { columns: ['Gross earnings'], direction: 'in' },
      { columns: ['Service fee'], direction: 'out', category: 'professionalFees' },
    ],
  });
  expect(planned(result)).toEqual(expected);
});
