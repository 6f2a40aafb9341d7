/** The layouts of the banks, each by a file as the bank writes it. */
import { describe, expect, test } from 'bun:test';
import { BANKS } from '../../../../clients/typescript/import/columns/banks.ts';
import { headerKey } from '../../../../clients/typescript/import/files/cells.ts';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { lines, readFixture, readText, references } from './files.ts';

const EXPECTED: {
  file: string;
  bank: string;
  options?: ImportOptions;
  entries: string[];
  skipped?: string[];
}[] = [
  {
    file: 'monzo.csv',
    bank: 'monzo',
    entries: [
      '2 2026-04-01 +95000 J Okafor - Rent April flat 2 - RENT FLAT 2',
      '3 2026-04-03 -2349 SCREWFIX DIR LTD LEEDS GBR',
      '4 2026-04-03 -250 Leeds City Council Parking - LEEDS CC PARKING',
      '5 2026-04-03 -250 Leeds City Council Parking - LEEDS CC PARKING',
      '6 2026-04-03 -250 Leeds City Council Parking - LEEDS CC PARKING',
    ],
    skipped: ['7 The amount is 0.00.'],
  },
  {
    file: 'starling.csv',
    bank: 'starling',
    entries: [
      '2 2026-04-01 +95000 A Tenant - FLAT 2 RENT',
      '3 2026-04-02 -8412 British Gas - 850012345678',
      '4 2026-04-05 -250 Leeds Parking',
      '5 2026-04-05 -250 Leeds Parking',
      '6 2026-04-05 -250 Leeds Parking',
    ],
  },
  {
    file: 'barclays.csv',
    bank: 'barclays',
    entries: [
      '2 2026-04-09 -6500 LANDLORD INSURANCE REF 8891 DDR',
      '3 2026-04-08 +120000 M PATEL RENT 14 ELM ROAD BGC',
      '4 2026-04-08 -400 NCP CAR PARK ON 07 APR BCC',
      '5 2026-04-08 -400 NCP CAR PARK ON 07 APR BCC',
    ],
  },
  {
    file: 'hsbc.csv',
    bank: 'hsbc',
    entries: [
      '3 2026-04-05 -12550 BRITISH GAS',
      '4 2026-04-07 +280000 LETTING AGENT',
      '5 2026-04-12 -280 TFL TRAVEL CH',
      '6 2026-04-12 -280 TFL TRAVEL CH',
    ],
    skipped: ['2 There is no amount.'],
  },
  {
    file: 'hsbc-no-header.csv',
    bank: 'hsbc',
    options: { bank: 'hsbc' },
    entries: [
      '1 2026-04-07 +280000 LETTING AGENT CR',
      '2 2026-04-05 -12550 BRITISH GAS DD',
      '3 2026-04-05 -165 POST OFFICE VIS',
      '4 2026-04-05 -165 POST OFFICE VIS',
    ],
  },
  {
    file: 'lloyds.csv',
    bank: 'lloyds',
    entries: [
      '2 2026-04-30 +120000 M PATEL RENT',
      '3 2026-04-29 -4599 B & Q 1234',
      '4 2026-04-29 -120 RINGGO',
      '5 2026-04-29 -120 RINGGO',
    ],
  },
  {
    file: 'lloyds-credit-card.csv',
    bank: 'lloyds',
    entries: ['2 2026-04-13 -3995 WICKES LEEDS', '3 2026-04-20 +3995 PAYMENT RECEIVED'],
  },
  {
    file: 'natwest.csv',
    bank: 'natwest',
    entries: [
      '3 2026-04-06 -12890 1234 05APR26 , CITY ELECTRICAL , LEEDS GB',
      '4 2026-04-07 +64000 M PATEL , RENT , FP 07/04/26',
      '5 2026-04-07 -120 RINGGO',
      '6 2026-04-07 -120 RINGGO',
    ],
  },
  {
    file: 'nationwide.csv',
    bank: 'nationwide',
    entries: [
      '6 2026-04-01 +95000 M PATEL',
      '7 2026-04-02 -3840 THAMES WATER',
      '8 2026-04-03 -560 CO-OP 1234',
      '9 2026-04-03 -560 CO-OP 1234',
      '10 2026-04-05 -105420 Payment to',
    ],
  },
  {
    file: 'revolut.csv',
    bank: 'revolut',
    entries: [
      '2 2026-04-01 +95000 Payment from M Patel',
      '3 2026-04-03 -2349 Screwfix',
      '6 2026-04-05 -10200 Cash at ATM',
      '7 2026-04-07 -280 TfL',
      '8 2026-04-07 -280 TfL',
    ],
    skipped: ['4 State is PENDING, not COMPLETED.', '5 State is REVERTED, not COMPLETED.'],
  },
  {
    file: 'amex.csv',
    bank: 'amex',
    options: { bank: 'amex' },
    entries: [
      '2 2026-04-13 -8950 B&Q 1234 LEEDS',
      '3 2026-04-14 -1230 TRAINLINE LONDON',
      '4 2026-04-14 -1230 TRAINLINE LONDON',
      '5 2026-04-20 +11410 PAYMENT RECEIVED - THANK YOU',
    ],
  },
  {
    file: 'amex-details.csv',
    bank: 'amex',
    entries: [
      '2 2026-04-13 -8950 B&Q 1234',
      '4 2026-04-14 -1230 TRAINLINE',
      '5 2026-04-20 +10180 PAYMENT RECEIVED - THANK YOU',
    ],
  },
];

describe('a file of the bank is read with its rows, dates, signs and descriptions:', () => {
  test.each(EXPECTED)('$file', async ({ file, bank, options, entries, skipped = [] }) => {
    const result = await readFixture(file, options);
    expect({ bank: result.bank, lines: lines(result), invalid: result.invalid }).toEqual({
      bank,
      lines: entries,
      invalid: [],
    });
    expect(result.skipped.map(({ row, reason }) => `${row} ${reason}`)).toEqual(skipped);
    expect(result.rows).toBe(entries.length + skipped.length);
    expect(new Set(references(result)).size).toBe(entries.length);
  });

  test('and there is a file for each bank', () => {
    const banks = new Set(EXPECTED.map(({ bank }) => bank));
    expect(BANKS.map(({ bank }) => bank).filter((bank) => !banks.has(bank))).toEqual([]);
  });
});

describe('banks are recognised by the header row alone:', () => {
  const recognisable = BANKS.filter(({ isByOptionOnly }) => !isByOptionOnly);

  test.each(recognisable.map(({ bank, header }) => [bank, header] as const))('%s', async (bank, header) => {
    for (const spelling of [header, header.map((name) => ` ${name.toUpperCase()} `)]) {
      expect((await readText(`${spelling.join(',')}\n`)).bank).toBe(bank);
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
    await expect(readFixture('amex.csv')).rejects.toMatchObject({ code: 'unresolved_columns' });
    await expect(readFixture('hsbc-no-header.csv')).rejects.toMatchObject({ code: 'no_header' });
  });

  test('Halifax and RBS are other names of layouts; what is no bank is refused with the banks', async () => {
    expect((await readFixture('lloyds.csv', { bank: 'Halifax' })).bank).toBe('lloyds');
    expect((await readFixture('natwest.csv', { bank: 'rbs' })).bank).toBe('natwest');
    await expect(readFixture('natwest.csv', { bank: 'midland' })).rejects.toThrow(
      /the banks are monzo, starling/,
    );
    await expect(readFixture('natwest.csv', { bank: 'monzo' })).rejects.toThrow(
      'does not have the header row of monzo',
    );
  });
});

test('amounts in other currencies are invalid', async () => {
  const header = 'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance';
  const { entries, invalid } = await readText(
    `${header}\nCARD_PAYMENT,Current,2026-04-02,2026-04-03,Hotel,-80.00,0.00,EUR,COMPLETED,1.00\n`,
  );
  expect(entries).toEqual([]);
  expect(invalid).toMatchObject([{ row: 2, column: 'Currency', value: 'EUR' }]);
});

test("Monzo's older export is read", async () => {
  const { bank, entries } = await readText(
    'id,created,amount,currency,local_amount,local_currency,category,emoji,description,address,notes,receipt\n' +
      'tx_1,2018-03-30 17:32:57 +0000,-13.3,GBP,-13.3,GBP,general,,TfL,,,\n',
  );
  expect(bank).toBe('monzo');
  expect(entries[0]?.entry).toEqual({
    date: '2018-03-30',
    type: 'expense',
    amountPence: 1330,
    description: 'TfL',
    externalRef: 'tx_1',
  });
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

  test('of the older export are read too', async () => {
    const header =
      'id,created,amount,currency,local_amount,local_currency,category,emoji,description,address,notes,receipt';
    const { entries } = await readText(
      `${header}\ntx_1,2018-03-30 17:32:57 +0000,-13.3,GBP,-13.3,GBP,general,,TfL,,to flat 2,\n`,
    );
    expect(entries[0]?.entry.description).toBe('TfL - to flat 2');
  });
});
