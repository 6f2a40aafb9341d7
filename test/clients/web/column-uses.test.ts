/** The uses of columns on the page: a choice changes one column, and what it changes in others is a question. */
import { describe, expect, test } from 'bun:test';
import { type FileColumn, fileColumns, withAnswerFor } from '../../../clients/web/import/column-uses.ts';
import type { Importer } from '../../../clients/web/import/importer.ts';
import type { ColumnUse } from '../../../clients/web/import/state.ts';
import { file, fileOf, newImporter, openFile } from './importer-fixture.ts';

const { importer } = await newImporter();
const columnNamed = (name: string) =>
  fileColumns(fileOf(importer)).find(({ label }) => label === name) as FileColumn;
const uses = () =>
  fileColumns(fileOf(importer)).map(
    ({ label, use, questions }) => `${label}: ${use}${questions.length > 0 ? '!' : ''}`,
  );
const entries = ({ state }: Importer) =>
  state.value.files[0]?.result?.entries.map(({ entry: { type, amountPence, category } }) =>
    [type === 'income' ? amountPence : -amountPence, category].filter(Boolean).join(' '),
  );
const open = (text: string) => openFile(importer, file(text));
async function choose(name: string, use: ColumnUse['use'] | undefined, more: Omit<ColumnUse, 'use'> = {}) {
  const { file: chosen, parseOptions } = fileOf(importer);
  const columns = fileColumns(fileOf(importer));
  const change = withAnswerFor(columns, parseOptions.uses, columnNamed(name), use && { use, ...more });
  await importer.setParseOptions(chosen, { uses: change });
}

describe('a choice of a column', () => {
  test('leaves all others as they are: what was open stays open until a person says what it is', async () => {
    await open(`Date,Guest,Amount,Paid out,Service fee,Gross earnings
01/25/2026,Ann,97.00,,3.00,100.00
01/26/2026,Payout,,97.00,,
`);
    expect(uses()).toEqual([
      ...['Date: date', 'Guest: open!', 'Amount: open!', 'Paid out: open!'],
      // It is a part of the sum that the next column may be.
      ...['Service fee: open', 'Gross earnings: open!'],
    ]);
    await choose('Guest', 'description');
    await choose('Gross earnings', 'moneyIn');
    await choose('Amount', 'ignore');
    expect(uses().slice(2)).toEqual([
      ...['Amount: ignore', 'Paid out: open!', 'Service fee: open!', 'Gross earnings: moneyIn'],
    ]);
    expect(entries(importer)).toBeUndefined();
  });

  test('as the sum of the row settles the amounts that the question names, and no other one', async () => {
    await open(`Date,Tenant,Rent,Fee,VAT,Net,Deposit
13/10/2026,Patel,1000.00,100.00,20.00,880.00,
14/10/2026,Jones,900.00,90.00,18.00,792.00,500.00
`);
    expect(uses().slice(2)).toEqual([
      ...['Rent: open', 'Fee: open', 'VAT: open', 'Net: open!', 'Deposit: open!'],
    ]);
    await choose('Net', 'check');
    expect(uses().slice(2)).toEqual([
      ...['Rent: moneyIn', 'Fee: moneyOut', 'VAT: moneyOut', 'Net: check', 'Deposit: open!'],
    ]);
    await choose('Deposit', 'ignore');
    expect(entries(importer)).toEqual(['100000', '-10000', '-2000', '90000', '-9000', '-1800']);
  });

  test('as a sum that no question has explained leaves the others open', async () => {
    await open(`Date,Tenant,Rent Due,Rent Paid
15/10/2026,Patel,1025.00,1025.00
`);
    await choose('Rent Due', 'check');
    expect(uses().slice(2)).toEqual(['Rent Due: check', 'Rent Paid: open!']);
    expect(columnNamed('Rent Paid').questions[0]?.choices).toEqual(['moneyIn', 'ignore']);
    await choose('Rent Paid', 'moneyIn');
    expect(entries(importer)).toEqual(['102500']);
  });

  test('as a second amount makes several amounts of a row, with category and check', async () => {
    await open(`Date,Tenant,Rent,Fee,VAT,Net
13/10/2026,Patel,1000.00,100.00,20.00,880.00
14/10/2026,Jones,900.00,90.00,18.00,792.00
`);
    await choose('Rent', 'moneyIn');
    await choose('Fee', 'moneyOut', { category: 'professionalFees' });
    await choose('VAT', 'moneyOut');
    expect(uses().slice(2)).toEqual(['Rent: moneyIn', 'Fee: moneyOut', 'VAT: moneyOut', 'Net: open!']);
    await choose('Net', 'check');
    expect(entries(importer)).toEqual([
      ...['100000', '-10000 professionalFees', '-2000', '90000', '-9000 professionalFees', '-1800'],
    ]);
    await choose('VAT', 'ignore');
    expect(fileOf(importer).result?.invalid.map(({ column }) => column)).toEqual(['Net', 'Net']);
  });

  test('as one entry with an earlier column of the same direction adds the two up, with the category of the first', async () => {
    await open(`Date,Tenant,Rent,Fee,VAT,Repairs,Net
13/10/2026,Patel,1000.00,100.00,20.00,50.00,830.00
14/10/2026,Jones,900.00,90.00,18.00,,792.00
`);
    await choose('Net', 'check');
    await choose('Fee', 'moneyOut', { category: 'professionalFees' });
    const joinable = () => columnNamed('VAT').joinable.map(({ name }) => name);
    // Not with rent, which is money in, and not with what comes after it.
    expect([joinable(), columnNamed('Rent').joinable]).toEqual([['Fee'], []]);
    await choose('VAT', 'moneyOut', { with: 'Fee' });
    expect(entries(importer)).toEqual([
      ...['100000', '-12000 professionalFees', '-5000', '90000', '-10800 professionalFees'],
    ]);
    expect(fileOf(importer).result?.recognised.amounts).toContainEqual({ columns: [3, 4], direction: 'out' });
    expect([
      columnNamed('VAT').oneEntryWith,
      columnNamed('Repairs').joinable.map(({ name }) => name),
    ]).toEqual([...['Fee', ['Fee']]]);
    // The other column has another direction now: VAT is an entry of its own again.
    await choose('Fee', 'moneyIn');
    expect(columnNamed('VAT').oneEntryWith).toBeUndefined();
    await choose('Fee', 'moneyOut');
    await choose('VAT', 'moneyOut');
    expect(entries(importer)).toEqual([...['100000', '-10000', '-5000', '-2000', '90000', '-9000', '-1800']]);
  });

  test('as one entry with a column that the reader has found keeps that one as it is', async () => {
    await open(`Date,Details,Paid in,Paid out,Charge
13/10/2026,Rent,1000.00,,
14/10/2026,Plumber,,90.00,1.50
`);
    await choose('Charge', 'moneyOut');
    expect(entries(importer)).toEqual(['100000', '-9000', '-150']);
    await choose('Charge', 'moneyOut', { with: 'Paid out' });
    expect([uses().slice(2), entries(importer)]).toEqual([
      ['Paid in: moneyIn', 'Paid out: moneyOut', 'Charge: moneyOut'],
      ['100000', '-9150'],
    ]);
  });

  test('that another column has is a conflict at both, until one of them has another use', async () => {
    await open('Date,When,Description,Money in\n13/10/2026,13/10/2026,Rent,5.00\n');
    expect(uses()).toEqual(['Date: date', 'When: ignore', 'Description: description', 'Money in: moneyIn']);
    await choose('When', 'date');
    expect(uses().slice(0, 2)).toEqual(['Date: open!', 'When: date!']);
    expect(columnNamed('Date').questions[0]?.message).toBe(
      'Both “When” and “Date” are “Date”: choose another use for one.',
    );
    expect(entries(importer)).toBeUndefined();
    await choose('Date', 'date');
    expect(uses().slice(0, 2)).toEqual(['Date: date!', 'When: date!']);
    await choose('Date', 'ignore');
    expect([uses().slice(0, 2), entries(importer)]).toEqual([['Date: ignore', 'When: date'], ['500']]);
    await choose('When', undefined);
    await choose('Date', undefined);
    expect(entries(importer)).toEqual(['500']);
  });

  test('as money beside the amount of the file makes that a question', async () => {
    await open(
      'Date,Description,Amount,Fee\n13/10/2026,Rent,500.00,5.00\n14/10/2026,Gas,-20.00,\n15/10/2026,Oil,-30.00,\n',
    );
    await choose('Fee', 'moneyOut');
    expect(uses().slice(2)).toEqual(['Amount: open!', 'Fee: moneyOut!']);
    await choose('Amount', 'amount');
    expect([uses().slice(2), entries(importer)]).toEqual([
      ['Amount: amount', 'Fee: moneyOut'],
      ['50000', '-500', '-2000', '-3000'],
    ]);
  });
});

test('lines above the header are not its names', async () => {
  await open(
    'Agents Ltd,,,\nStatement of May,,,\nDate,Tenant,Rent due,Rent paid\n13/10/2026,Patel,5.00,5.00\n',
  );
  expect(uses()).toEqual(['Date: date', 'Tenant: description', 'Rent due: open!', 'Rent paid: open!']);
  expect(columnNamed('Rent due')).toMatchObject({ values: ['5.00'], sum: 500 });
});
