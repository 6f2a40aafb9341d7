/** The layouts of the banks, each by a file as the bank writes it. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { BANKS } from '../../../../clients/typescript/import/columns/banks.ts';
import { headerKey } from '../../../../clients/typescript/import/files/cells.ts';
import { lines, readFixture, readOpen, readText, references } from './files.ts';

/** The rows of each file. Its name begins with that of the bank. */
const EXPECTED: Record<string, string[]> = {
  'monzo.csv': [
    '2 2026-04-01 +95000 J Okafor - Rent April flat 2 - RENT FLAT 2',
    '3 2026-04-03 -2349 SCREWFIX DIR LTD LEEDS GBR',
    '4 2026-04-03 -250 Leeds City Council Parking - LEEDS CC PARKING',
    '5 2026-04-03 -250 Leeds City Council Parking - LEEDS CC PARKING',
    '6 2026-04-03 -250 Leeds City Council Parking - LEEDS CC PARKING',
    '7 skipped: The amount is 0.00.',
  ],
  'starling.csv': [
    '2 2026-04-01 +95000 A Tenant - FLAT 2 RENT',
    '3 2026-04-02 -8412 British Gas - 850012345678',
    '4 2026-04-05 -250 Leeds Parking',
    '5 2026-04-05 -250 Leeds Parking',
    '6 2026-04-05 -250 Leeds Parking',
  ],
  'barclays.csv': [
    '2 2026-04-09 -6500 LANDLORD INSURANCE REF 8891 DDR',
    '3 2026-04-08 +120000 M PATEL RENT 14 ELM ROAD BGC',
    '4 2026-04-08 -400 NCP CAR PARK ON 07 APR BCC',
    '5 2026-04-08 -400 NCP CAR PARK ON 07 APR BCC',
  ],
  'hsbc.csv': [
    '2 skipped: There is no amount.',
    '3 2026-04-05 -12550 BRITISH GAS',
    '4 2026-04-07 +280000 LETTING AGENT',
    '5 2026-04-12 -280 TFL TRAVEL CH',
    '6 2026-04-12 -280 TFL TRAVEL CH',
  ],
  'hsbc-no-header.csv': [
    '1 2026-04-07 +280000 LETTING AGENT CR',
    '2 2026-04-05 -12550 BRITISH GAS DD',
    '3 2026-04-05 -165 POST OFFICE VIS',
    '4 2026-04-05 -165 POST OFFICE VIS',
  ],
  'lloyds.csv': [
    '2 2026-04-30 +120000 M PATEL RENT',
    '3 2026-04-29 -4599 B & Q 1234',
    '4 2026-04-29 -120 RINGGO',
    '5 2026-04-29 -120 RINGGO',
  ],
  'lloyds-credit-card.csv': ['2 2026-04-13 -3995 WICKES LEEDS', '3 2026-04-20 +3995 PAYMENT RECEIVED'],
  'natwest.csv': [
    '3 2026-04-06 -12890 1234 05APR26 , CITY ELECTRICAL , LEEDS GB',
    '4 2026-04-07 +64000 M PATEL , RENT , FP 07/04/26',
    '5 2026-04-07 -120 RINGGO',
    '6 2026-04-07 -120 RINGGO',
  ],
  'nationwide.csv': [
    '6 2026-04-01 +95000 M PATEL',
    '7 2026-04-02 -3840 THAMES WATER',
    '8 2026-04-03 -560 CO-OP 1234',
    '9 2026-04-03 -560 CO-OP 1234',
    '10 2026-04-05 -105420 Payment to',
  ],
  'revolut.csv': [
    '2 2026-04-01 +95000 Payment from M Patel',
    '3 2026-04-03 -2349 Screwfix',
    '4 skipped: State is PENDING, not COMPLETED.',
    '5 skipped: State is REVERTED, not COMPLETED.',
    '6 2026-04-05 -10200 Cash at ATM',
    '7 2026-04-07 -280 TfL',
    '8 2026-04-07 -280 TfL',
  ],
  'amex.csv': [
    '2 2026-04-13 -8950 B&Q 1234 LEEDS',
    '3 2026-04-14 -1230 TRAINLINE LONDON',
    '4 2026-04-14 -1230 TRAINLINE LONDON',
    '5 2026-04-20 +11410 PAYMENT RECEIVED - THANK YOU',
  ],
  'amex-details.csv': [
    '2 2026-04-13 -8950 B&Q 1234',
    '4 2026-04-14 -1230 TRAINLINE',
    '5 2026-04-20 +10180 PAYMENT RECEIVED - THANK YOU',
  ],
  'airbnb.csv': [
    '2 2026-04-18 -2500 Resolution Adjustment - Loft by the sea - HMAB12CD34 - Ann Example',
    '3 skipped: Type is Payout, which only moves the money.',
    '4 2026-04-04 -1223 Reservation - Loft by the sea - HMAB12CD34 - Ann Example',
    '4 2026-04-04 +40763 Reservation - Loft by the sea - HMAB12CD34 - Ann Example',
  ],
};
const textOf = (file: string) => Bun.file(join(import.meta.dir, '../../bank-files', file)).text();
const BY_OPTION = ['hsbc-no-header.csv', 'amex.csv'];
const bankOf = (file: string) => file.split(/[-.]/)[0] ?? '';

describe('a file of the bank is read with its rows, dates, signs and descriptions:', () => {
  test.each(Object.entries(EXPECTED))('%s', async (file, expected) => {
    const result = await readFixture(file, BY_OPTION.includes(file) ? { bank: bankOf(file) } : {});
    const skipped = result.skipped.map(({ row, reason }) => `${row} skipped: ${reason}`);
    const rows = [...lines(result), ...skipped].sort(new Intl.Collator('en', { numeric: true }).compare);
    expect([result.recognised.bank, rows, result.invalid]).toEqual([bankOf(file), expected, []]);
    expect(result.rowCount).toBe(new Set(expected.map((row) => row.split(' ')[0])).size);
    expect(new Set(references(result)).size).toBe(result.entries.length);
  });

  test('and there is a file for each bank', () => {
    const banks = Object.keys(EXPECTED).map(bankOf);
    expect(BANKS.map(({ bank }) => bank).filter((bank) => !banks.includes(bank))).toEqual([]);
  });
});

describe('banks are recognised by the header row alone:', () => {
  const recognisable = BANKS.filter(({ isByOptionOnly }) => !isByOptionOnly);

  test.each(recognisable.map(({ bank, header }) => [bank, header] as const))('%s', async (bank, header) => {
    for (const spelling of [header, header.map((name) => ` ${name.toUpperCase()} `)]) {
      expect((await readText(`${spelling.join(',')}\n`)).recognised.bank).toBe(bank);
    }
  });

  test('no header fits two banks', () => {
    for (const { bank, header } of recognisable) {
      const keys = header.map(headerKey);
      const fitting = recognisable.filter((other) =>
        other.header.every((name) => keys.includes(headerKey(name))),
      );
      expect(fitting.map((other) => other.bank)).toEqual([bank]);
    }
  });

  test('Date, Description, Amount names no bank: Amex and HSBC need the bank option', async () => {
    await expect(readOpen(await textOf('amex.csv'))).rejects.toMatchObject({ code: 'unresolved_columns' });
    await expect(readFixture('hsbc-no-header.csv')).rejects.toMatchObject({ code: 'no_header' });
  });

  test('Halifax and RBS are other names of layouts; what is no bank is refused with the banks', async () => {
    expect((await readFixture('lloyds.csv', { bank: 'Halifax' })).recognised.bank).toBe('lloyds');
    expect((await readFixture('natwest.csv', { bank: 'rbs' })).recognised.bank).toBe('natwest');
    await expect(readFixture('natwest.csv', { bank: 'midland' })).rejects.toThrow(
      /the banks are monzo, starling/,
    );
    await expect(readFixture('natwest.csv', { bank: 'monzo' })).rejects.toThrow(
      'does not have the header row of monzo',
    );
  });
});

test("a bank's own categories are no directions, though all rows have the same", async () => {
  const [header, income] = (await textOf('monzo.csv')).split('\n');
  expect((await readText(`${header}\n${income}\n`)).entries).toHaveLength(1);
});

test('a column of the bank that repeats the amount has to be equal to it, and a choice of columns goes before', async () => {
  const [header, ...rows] = (await textOf('monzo.csv')).split('\n').slice(0, 3);
  const read = (from: string, to: string, options = {}) =>
    readText(`${header}\n${rows.join('\n').replaceAll(from, to)}\n`, options);
  expect((await read('-23.49,GBP', '-2349,GBP')).invalid).toMatchObject([
    {
      row: 3,
      column: 'Money Out',
      value: '-23.49',
      message: 'The amount of the row is -2349.00, and "Money Out" is -23.49.',
    },
  ]);
  expect((await read(',950.00,GBP', ',-950.00,GBP')).invalid).toMatchObject([{ row: 2, column: 'Money In' }]);
  for (const each of [
    await read(',,-23.49,', ',,,'),
    await read('-23.49,GBP', '-23.48,GBP', { map: { amount: 'Amount' } }),
  ])
    expect([each.entries.length, each.invalid]).toEqual([2, []]);
});

test('amounts in other currencies are invalid', async () => {
  const header = 'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance';
  const { entries, invalid } = await readText(
    `${header}\nCARD_PAYMENT,Current,2026-04-02,2026-04-03,Hotel,-80.00,0.00,EUR,COMPLETED,1.00\n`,
  );
  expect(entries).toEqual([]);
  expect(invalid).toMatchObject([{ row: 2, column: 'Currency', value: 'EUR' }]);
});

describe("Monzo's notes", () => {
  const HEADER = 'Transaction ID,Date,Time,Type,Name,Amount,Currency,Notes and #tags,Description';
  const read = (row: string) => readText(`${HEADER}\n${row}\n`);

  test('stand behind the name, and change no reference', async () => {
    const [entry] = (await read('tx_1,13/04/2026,,Card,Shop,-5.00,GBP,boiler #flat2,CARD 12 LEEDS')).entries;
    expect(entry).toMatchObject({
      entry: { description: 'Shop - boiler #flat2 - CARD 12 LEEDS', externalRef: 'tx_1' },
      earlier: { description: 'Shop - CARD 12 LEEDS' },
    });
    const derived = await read(',13/04/2026,,Card,Shop,-5.00,GBP,boiler #flat2,CARD 12 LEEDS');
    const withoutNotes = await read(',13/04/2026,,Card,Shop,-5.00,GBP,,CARD 12 LEEDS');
    expect(references(derived)).toEqual(references(withoutNotes));
    expect(withoutNotes.entries[0]).not.toHaveProperty('earlier');
  });

  test("are cut after the bank's own text", async () => {
    const [entry] = (await read(`tx_1,13/04/2026,,Card,Shop,-5.00,GBP,boiler,${'x'.repeat(600)}`)).entries;
    expect(entry?.entry.description).toStartWith('Shop - boiler - xxx');
    expect(entry?.earlier?.description).toBe(`Shop - ${'x'.repeat(493)}`);
  });

  test('of the older export, and its ids, are read too', async () => {
    const header =
      'id,created,amount,currency,local_amount,local_currency,category,emoji,description,address,notes,receipt';
    const row = 'tx_1,2018-03-30 17:32:57 +0000,-13.3,GBP,-13.3,GBP,general,,TfL,,to flat 2,';
    const result = await readText(`${header}\n${row}\n`);
    const { category } = result.entries[0]?.entry ?? {};
    expect([result.recognised.bank, category, ...lines(result), ...references(result)]).toEqual([
      ...['monzo', undefined, '2 2018-03-30 -1330 TfL - to flat 2', 'tx_1'],
    ]);
  });
});
