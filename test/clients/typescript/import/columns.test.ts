/** Columns of files of no known bank: usual names, the map option, and what is said when neither finds them. */
import { describe, expect, test } from 'bun:test';
import { ImportError, type ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { lines, readText } from './files.ts';

describe('usual names are found, whatever their case, spaces and punctuation:', () => {
  test.each([
    ['Date,Description,Amount', '2026-04-01,a,-5'],
    ['DATE , Payee , AMOUNT (£)', '2026-04-01,a,-5'],
    ['transaction_date,Details,Transaction Value', '2026-04-01,a,-5'],
    ['Description,Debit,Credit,Date', 'a,5,,2026-04-01'],
    ['Date,Narrative,Paid Out (GBP),Paid In (GBP),Balance', '2026-04-01,a,5,,99'],
    ['Date,Memo,Money-Out,Money-In,Amount', '2026-04-01,a,5,,'],
    ['Posting Date,Name,Spent', '2026-04-01,a,5'],
    ['Date,Payment type and details,Paid out,Paid in', '2026-04-01,a,5,'],
    ['Date,Merchant/Description,Debit/Credit,Balance', '2026-04-01,a,-£5.00,£9.00'],
    ['Date,Note,Type,Amount', '2026-04-01,a,Expense,5'],
    ['Date,Item,Debit/Credit,Amount', '2026-04-01,a,DR,5'],
    ['id,date,type,category,amountPence,description,externalRef', 'x,2026-04-01,expense,,500,a,'],
  ])('%s', async (header, row) => {
    const result = await readText(`${header}\n${row}\n`);
    expect([...lines(result), ...result.invalid]).toEqual(['2 2026-04-01 -500 a']);
  });

  test('a payment reference is added to the description', async () => {
    expect(lines(await readText('Date,Payee,Reference,Amount\n2026-04-01,M Patel,FLAT 2,5\n'))).toEqual([
      '2 2026-04-01 +500 M Patel - FLAT 2',
    ]);
  });

  test('amounts in another currency are not taken for pounds', async () => {
    await expect(readText('Date,Details,Amount (EUR)\n2026-04-01,a,5\n')).rejects.toMatchObject({
      code: 'unresolved_columns',
    });
    expect((await readText('Date,Currency,Amount\n2026-04-01,usd,5\n')).invalid).toMatchObject([
      { column: 'Currency' },
    ]);
  });
});

describe('the map option', () => {
  const text = 'Booked,What for,Sum A,Sum B,Date\n2026-04-01,a,5,6,\n';
  const read = async (map: ImportOptions['map'], ignore: string) =>
    lines(await readText(text, { map, ignore: [ignore] }));

  test('names columns by their names or numbers, above the usual names', async () => {
    expect(await read({ date: 'booked', amount: 'SUM-A' }, 'sum b')).toEqual(['2 2026-04-01 +500 a']);
    expect(await read({ date: '1', amount: '4', description: 'What for' }, '3')).toEqual([
      '2 2026-04-01 +600 a',
    ]);
    expect(await read({ date: 'Booked', moneyOut: 'Sum A' }, 'Sum B')).toEqual(['2 2026-04-01 -500 a']);
  });

  test('replaces the column of a bank', async () => {
    const header = 'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP)';
    const result = await readText(`${header}\n13/04/2026,a,b,CARD,-5,9\n`, {
      map: { description: 'Reference' },
    });
    expect([result.recognised.bank, ...lines(result)]).toEqual(['starling', '2 2026-04-13 -500 b']);
  });

  test('by numbers alone reads a file without a header row, and one with it', async () => {
    const map = { date: '2', amount: '4', description: '3' };
    const rows = 'x,13/04/2026,a,-1.00\nx,14/04/2026,b,2\n';
    const ignore = ['1'];
    expect(lines(await readText(rows, { map, ignore }))).toEqual([
      '1 2026-04-13 -100 a',
      '2 2026-04-14 +200 b',
    ]);
    expect(lines(await readText(`No,Datum,Text,Summe\n${rows}`, { map, ignore }))).toEqual([
      '2 2026-04-13 -100 a',
      '3 2026-04-14 +200 b',
    ]);
  });

  test('by numbers alone reads past lines before the header, which have texts in their first cells', async () => {
    const map = { date: '1', moneyOut: '4', moneyIn: '5', description: '3' };
    const before = 'Musterbank AG;;;;\nKontoauszug;DE12345;;;\nZeitraum;01.03.2026 - 31.03.2026;;;\n';
    const header = 'Buchungstag;Wertstellung;Verwendungszweck;Soll;Haben;Saldo\n';
    const rows =
      '01.03.2026;01.03.2026;Miete;;1.250,00;2.250,00\n13.03.2026;14.03.2026;Farbe;(84,12);;9,00\n';
    const result = await readText(before + header + rows, { map, ignore: ['6'], decimal: ',' });
    expect([...lines(result), ...result.invalid]).toEqual([
      '5 2026-03-01 +125000 Miete',
      '6 2026-03-13 -8412 Farbe',
    ]);
    expect(result.recognised.headerRow).toBe(4);
  });

  test('with a column that is nowhere is refused', async () => {
    await expect(readText(text, { map: { date: 'Boked' } })).rejects.toMatchObject({
      code: 'unknown_column',
      option: 'map',
    });
    await expect(readText(text, { map: { date: 'Boked' } })).rejects.toThrow(
      '"Boked" that is chosen for date; did you mean "Booked"',
    );
    await expect(readText(text, { map: { date: '9' } })).rejects.toThrow(
      'the widest row has "Booked", "What for"',
    );
  });
});

test('without a header the columns that are there are shown', async () => {
  await expect(readText('When,Who\n1,x\n')).rejects.toThrow(
    /in "When".* has "When", "Who"; choose the columns\.$/,
  );
});

test('a row with a date and an amount is never the header', async () => {
  const paypal = `"Date","Time","Name","Type","Status","Currency","Gross","Fee","Net"
"20/04/2026","10:00:00","Guest","Payment","Completed","GBP","120.00","-3.78","116.22"
"21/04/2026","10:00:00","Guest","Payment","Completed","GBP","80.00","-1.78","78.22"
`;
  await expect(readText(paypal)).rejects.toBeInstanceOf(ImportError);
  const options = { map: { amount: 'Net', description: 'Name' }, ignore: ['Gross', 'Fee', 'Type'] };
  expect(lines(await readText(paypal, options))).toEqual([
    '2 2026-04-20 +11622 Guest',
    '3 2026-04-21 +7822 Guest',
  ]);
});

test('of two columns with the name of an amount, none is chosen', async () => {
  const text = 'Date,Description,Amount,Amount\n2026-04-20,A,1.00,2.00\n';
  await expect(readText(text)).rejects.toMatchObject({ option: 'map' });
  expect(lines(await readText(text, { map: { amount: '4' }, ignore: ['3'] }))).toEqual([
    '2 2026-04-20 +200 A',
  ]);
});
