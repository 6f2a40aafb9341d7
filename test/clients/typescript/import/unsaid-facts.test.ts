/** Facts that no word of a file says, and that its other facts contradict or leave open: the person is asked. */
import { describe, expect, test } from 'bun:test';
import { answered, asked, withoutDates } from './answered.ts';
import { readBytes, readOpen, readText, rowsOf } from './files.ts';
import { camt, camtEntry, csv, ofx, payment, qif } from './outcome.ts';
import { workbook } from './workbook.ts';

describe('amounts that look like pence', () => {
  const AMOUNTS = ['-20454', '131023', '-1606', '123522', '-4962'];
  const BALANCE = '<LEDGERBAL><BALAMT>1200.00<DTASOF>20260413</LEDGERBAL></STMTRS>';
  const ofOfx = (amounts: readonly string[]) =>
    ofx(
      amounts
        .map((amount, id) => payment(amount.startsWith('-') ? 'DEBIT' : 'CREDIT', amount, `${id}`))
        .join(''),
    ).replace('</STMTRS>', BALANCE);
  const ofQif = qif(...AMOUNTS.map((amount) => `D13/04/2026\nT${amount}\nPx\n^`));
  const ofCamt = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${camt(['20454', '1606', '4962', '123522', '131023'].map((amount) => camtEntry(amount)).join(''))}</BkToCstmrStmt></Document>`;

  test.each([
    ['OFX', ofOfx(AMOUNTS), 'TRNAMT'],
    ['QIF', ofQif, 'T'],
    ['CAMT', ofCamt, 'Amt'],
  ])('are asked about in %s', async (_, text, name) => {
    expect(await asked(text, { map: { amount: 'T' } })).toEqual([`unit ${name}`]);
  });

  test('are read in the unit of the answer, without balances if they are pence', async () => {
    const read = async (unit: 'pence' | 'pounds') => {
      const { entries, statements } = await readOpen(ofOfx(AMOUNTS), { unit });
      return [entries.map(({ entry }) => entry.amountPence), statements[0]?.closing?.pence];
    };
    expect(await read('pence')).toEqual([[20454, 131023, 1606, 123522, 4962], undefined]);
    expect(await read('pounds')).toEqual([[2045400, 13102300, 160600, 12352200, 496200], 120000]);
    const { invalid } = await readOpen(ofOfx(['-20454', '1.50']), { unit: 'pence' });
    expect(invalid).toMatchObject([{ row: 2, message: 'This is not a whole number of pence.' }]);
  });

  test('are not asked about if one has decimals, or most end in 0 or 5', async () => {
    expect(await asked(ofOfx([...AMOUNTS, '-9.99']))).toEqual([]);
    expect(await asked(ofOfx(['-200', '1310', '-165', '1235', '-496']))).toEqual([]);
  });
});

describe('a moment that is midnight of the next day in local time is invalid', () => {
  const inCsv = (date: string) => csv('Date,Details,Paid in', `${date},a,5.00`);
  const inOfx = (date: string) => ofx(payment('DEBIT', '-5.00', '1').replace('20260413', date));
  const inCamt = (date: string) =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${camt(camtEntry('5.00').replace('<Dt>2026-04-01</Dt>', `<DtTm>${date}</DtTm>`))}</BkToCstmrStmt></Document>`;
  const days = async (text: string) => {
    const { entries, invalid } = await readText(text);
    return [...entries.map(({ entry }) => entry.date), ...invalid.map(({ field }) => field)];
  };

  test.each([
    inCsv('2026-04-05T23:00:00.000Z'),
    inCsv('2026-07-05 22:00:00 UTC'),
    inOfx('20260405230000.000[0:GMT]'),
    inOfx('20260405220000[+0]'),
    inCamt('2026-04-05T23:00:00+00:00'),
  ])('%s', async (text) => {
    expect(await days(text)).toEqual(['date']);
  });

  test.each([
    inCsv('2026-04-05T22:59:00Z'),
    inCsv('2026-04-05 23:00:00'),
    inCsv('2026-04-05T00:00:00Z'),
    inCsv('2026-04-05T23:00:00+01:00'),
    inOfx('20260405230000'),
    inCamt('2026-04-05T23:30:00Z'),
  ])('and no other one: %s', async (text) => {
    expect(await days(text)).toEqual(['2026-04-05']);
  });
});

describe('a file without a payment is refused', () => {
  const rows = ['13/04/2026,a,5.00,', '14/04/2026,b,,4.00'];
  const header = 'Date,Details,Paid in,Paid out,Status';
  test.each([
    ['CSV', csv(header, ...rows.map((row) => `${row},Pending`)), 'Status is Pending'],
    ['OFX', ofx(payment('DEBIT', '-5.00', '1')).replaceAll('STMTTRN', 'STMTTRNP'), 'The payment is pending'],
    [
      'CAMT',
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${camt(camtEntry('5.00', '', 'PDNG'))}</BkToCstmrStmt></Document>`,
      'PDNG',
    ],
    ['QIF', qif('D13/04/2026\nT-5.00\nCv\n^'), 'The payment is void'],
  ])('if each row is skipped: %s', async (_, text, reason) => {
    await expect(readText(text)).rejects.toThrow(reason);
    await expect(readText(text)).rejects.toThrow('No row is a payment');
  });

  test('but not if one is read, if only balances are skipped, or if a person leaves the rows out', async () => {
    const one = await readText(csv(header, `${rows[0]},Pending`, `${rows[1]},Paid`));
    expect([one.entries.length, one.skipped.length]).toEqual([1, 1]);
    const opening = qif('D13/04/2026\nT5.00\nPOpening Balance\nL[A]\n^').replace(
      '!Type',
      '!Account\nNA\nTBank\n^\n!Type',
    );
    expect((await readText(opening)).skipped).toHaveLength(1);
    const { skipped } = await readText(csv(header.replace(',Status', ''), rows[0] ?? ''), {
      rowMeanings: { 2: 'skip' },
    });
    expect(skipped).toHaveLength(1);
  });

  test.each(['^', '~', '#', '!', '*'])(
    'rows of one cell with the delimiter %s are invalid',
    async (delimiter) => {
      const cells = (row: string) => row.replaceAll(',', delimiter);
      const { entries, invalid } = await readText(
        csv(header.replace(',Status', ''), rows[0] ?? '', cells(rows[1] ?? '')),
      );
      expect([entries.length, invalid.map(({ row }) => row)]).toEqual([1, [3]]);
      const sheet = { name: 'a', rows: { 1: ['Date', 'Details', 'Paid out'], 2: [cells(rows[1] ?? '')] } };
      expect((await readBytes(workbook([sheet]))).invalid).toHaveLength(1);
    },
  );
});

describe('the layout of a bank', () => {
  const amex = (...amounts: string[]) =>
    csv(
      'Date,Description,Card Member,Account #,Amount,Extended Details,Appears On Your Statement As,Address,Town/City,Postcode,Country,Reference,Category',
      ...amounts.map((amount, index) => `${13 + index}/04/2026,a,b,-1,${amount},x,a,b,c,d,UK,'R${index}',C`),
    );
  const natwest = (account: string, number = '1', balances: string[] = []) =>
    csv(
      'Date,Type,Description,Value,Balance,Account Name,Account Number',
      ...['45.60', '12.00', '-9.00'].map(
        (amount, index) =>
          `${13 + index}/04/2026,x,a,${amount},${balances[index] ?? ''},${account},${number}`,
      ),
    );
  test('of a card is asked about if most amounts have a minus, and one of an account if it names a card', async () => {
    expect(await asked(amex('-45.60', '-12.00', '300.00'))).toEqual(['direction Amount']);
    expect(await asked(amex('45.60', '12.00', '-300.00'))).toEqual([]);
    expect(await asked(natwest('Credit Card'))).toEqual(['direction Value']);
    expect(await asked(natwest('SMITH J'))).toEqual([]);
    expect(await asked(natwest('SMITH J', '543210******1234'))).toEqual(['direction Value']);
    expect(await asked(natwest('SMITH J', '5432 1000 0000 1234'))).toEqual(['direction Value']);
    expect(await asked(natwest('SMITH J', '601122-12345678'))).toEqual([]);
    expect(withoutDates(await answered(natwest('Credit Card'), ['spent']))).toEqual([
      '2 -4560 a',
      '3 -1200 a',
      '4 +900 a',
    ]);
    expect(withoutDates(await answered(amex('-45.60', '-12.00', '300.00'), ['amount']))).toEqual([
      ...['2 -4560 a', '3 -1200 a', '4 +30000 a'],
    ]);
  });

  test('of an account is asked about if its balances follow as a debt', async () => {
    const debt = natwest('SMITH J', '1', ['145.60', '157.60', '148.60']);
    expect(await asked(debt)).toEqual([]);
    const account = natwest('SMITH J', '1', ['954.40', '942.40', '951.40']);
    expect(await asked(account)).toEqual(['direction Value']);
    expect(withoutDates(await answered(account, ['spent']))).toEqual(['2 -4560 a', '3 -1200 a', '4 +900 a']);
  });

  test('of an account with two columns is contradicted by such balances', async () => {
    const lloyds = (...balances: string[]) =>
      csv(
        'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance',
        ...['25.00,', ',60.00', '25.00,'].map(
          (amounts, index) => `${13 + index}/04/2026,DD,1,2,a,${amounts},${balances[index]}`,
        ),
      );
    expect(await rowsOf(lloyds('900.00', '960.00', '935.00'))).toEqual([[2, 3, 4], [], []]);
    expect(await rowsOf(lloyds('900.00', '840.00', '865.00'))).toEqual([[], [], [2, 3, 4]]);
  });
});

test('words that contradict a minus on most rows make the other rows invalid too', async () => {
  const table = (...rows: string[]) =>
    csv('Date,Details,Amount,Type', ...rows.map((row, index) => `${13 + index}/04/2026,a,${row}`));
  const { entries, invalid } = await readText(table('950.00,D', '-45.60,C', '-12.00,C', '7.00,D', '-3.00,C'));
  expect([entries, invalid.map(({ row }) => row)]).toEqual([[], [2, 3, 4, 5, 6]]);
  const card = await readText(table('45.60,D', '12.00,D', '-9.00,C'));
  expect([card.entries.map(({ row }) => row), card.invalid.map(({ row }) => row)]).toEqual([[2, 3], [4]]);
});

test('pence behind a decimal comma that was taken for a delimiter are no amounts of their own', async () => {
  const rows = ['13/04/2026,a,45,60', '14/04/2026,b,12,05', '15/04/2026,c,7,50'];
  await expect(readText(csv('Date,Details,Paid out,Paid in', ...rows))).rejects.toThrow(
    'are in the next column',
  );
});

test('marks without a letter or a digit are asked about, also beneath a name that holds texts or numbers', async () => {
  const table = (name: string, ...marks: string[]) =>
    csv(
      `Date,Details,Paid out,${name}`,
      ...marks.map((mark, index) => `${13 + index}/04/2026,a,5.00,${mark}`),
    );
  for (const name of ['Notes', 'Ref', 'Cheque no', 'Tenant'])
    expect(await asked(table(name, '?', '', '?'))).toEqual([`values ${name}`]);
  expect(await asked(table('Year', '2026', '2026', '?'))).toEqual(['values Year']);
  expect(await asked(table('Ref', '-', 'A1', '-'))).toEqual([]);
});

test('a name with a question mark is no certain amount', async () => {
  expect(await asked(csv('Date,Details,Expenses?', '13/04/2026,a,5.00', '14/04/2026,b,4.00'))).toEqual([
    'amount Expenses?',
  ]);
});

test('the name of an account states a currency', async () => {
  const table = (account: string) =>
    csv('Date,Details,Amount,Account', `13/04/2026,a,-5.00,${account}`, `14/04/2026,b,-4.00,${account}`);
  await expect(readText(table('Wise EUR'))).rejects.toMatchObject({ code: 'other_currency' });
  expect((await readText(table('Wise GBP'))).entries).toHaveLength(2);
});

test('a number of days of QIF that may be month, day and year is refused', async () => {
  await expect(readText(qif('D40326\nT-5.00\n^', 'D40926\nT-4.00\n^'))).rejects.toMatchObject({
    code: 'ambiguous_dates',
  });
});
