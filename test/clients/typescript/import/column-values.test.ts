/** Each column with content is read, is free text, has only values that are understood, or is asked about. */
import { describe, expect, test } from 'bun:test';
import { type Answer, answered, asked, questionsOf, withoutDates } from './answered.ts';
import { csv } from './outcome.ts';

const AMOUNTS = ['-60.00', '-12.00', '900.00', '-7.00', '-3.00', '-1.50'];
/** As many rows as values. */
const table = (name: string, ...values: string[]) =>
  csv(
    `Date,Description,Amount,${name}`,
    ...values.map(
      (value, index) =>
        `${13 + index}/04/2026,${'abcdefghijk'[index]},${AMOUNTS[index % AMOUNTS.length]},${value}`,
    ),
  );

describe('is asked about:', () => {
  test.each<[string, string[], string[]]>([
    ['Booked', ['Yes', 'No', 'Yes'], ['Yes', 'No']],
    ['Captured', ['true', 'false', 'true'], ['true', 'false']],
    ['Forecast', ['No', 'No', 'No'], ['No']],
    ['Info', ['booked', 'pending', 'Transaction pending'], ['booked', 'pending', 'Transaction pending']],
    ['Received', ['Yes', 'tbc', 'Yes'], ['Yes', 'tbc']],
    ['Status', ['Paid', 'Frozen', 'Paid'], ['Paid', 'Frozen']],
    ['Status', ['Paid', '', 'Paid'], ['Paid', '']],
    ['Paid on', ['13/04/2026', '', '15/04/2026'], ['']],
    ['Paid on', ['13/04/2026', '14/04/2026', 'not yet', '16/04/2026', '17/04/2026', 'not yet'], ['not yet']],
    ['+/-', ['-', '', '-'], ['-', '']],
    ['Flow', ['Out', 'Own', 'In'], ['Out', 'Own', 'In']],
    ['Type', ['DD', 'Own', 'BGC'], ['DD', 'Own', 'BGC']],
    ['Type', ['Card payment', 'DD', 'Transfer'], ['Card payment', 'DD', 'Transfer']],
    ['Type', ['Purchase', 'Payment', 'Payment'], ['Purchase', 'Payment']],
    ['Account', ['Repairs', 'Rent income', 'Repairs'], ['Repairs', 'Rent income']],
    ['Group', ['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd']],
    ['Group', ['a', 'b', 'a', 'b', 'a', 'b'], ['a', 'b']],
    ['Group', [...'abcdeabcdea'], [...'abcde']],
    ['Remark', ['one', 'two', 'Not paid', 'four', 'five', 'six'], ['Not paid']],
    ['Category', ['Repairs', 'Refunded', 'Repairs'], ['Refunded']],
  ])('%s with %p', async (name, values, open) => {
    expect(await questionsOf(table(name, ...values))).toMatchObject([
      { kind: 'values', columns: [3], values: open },
    ]);
  });
});

describe('is not asked about:', () => {
  test.each<[string, string[]]>([
    ['Remark', ['one', 'two', 'three', 'four', 'five', 'six']],
    ['Status', ['Paid', 'Pending', 'Cleared']],
    ['Posted', ['Yes', 'No', 'Yes']],
    ['Currency', ['GBP', 'GBP', 'GBP']],
    ['Type', ['DD', 'BGC', 'Card payment']],
    ['Category', ['Repairs', 'Travel', 'Rent']],
    ['Account', ['12345678', '12345678', '12345678']],
    ['Tenant', ['Patel', 'Patel', 'Patel']],
    ['Entered', ['13/04/2026', '14/04/2026', '15/04/2026']],
    ['Entered', ['13/04/2026 10:12', '14/04/2026 09:00', '15/04/2026 11:30']],
    ['Group', ['', '', '']],
  ])('%s with %p', async (name, values) => {
    expect(await asked(table(name, ...values))).toEqual([]);
  });

  test('beside a running balance that follows over all rows, or in a file of a bank', async () => {
    const rows = ['13/04/2026,a,10.00,Yes,110.00', '14/04/2026,b,-4.00,No,106.00'];
    expect(await asked(csv('Date,Description,Amount,Booked,Balance', ...rows))).toEqual([]);
    expect(await asked(csv('Date,Description,Amount,Booked,Balance', ...rows).replace('106', '107'))).toEqual(
      ['values Booked', 'direction Amount'],
    );
    const bank = 'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category';
    expect(await asked(csv(bank, '14/04/2026,a,b,OWN,5.00,9.00,PETS'))).toEqual([]);
  });
});

describe('an answer', () => {
  const text = table('Booked', 'Yes', 'No', 'Yes');
  const [all, two] = [
    ['2 -6000 a', '3 -1200 b', '4 +90000 c'],
    ['2 -6000 a', '3 skipped', '4 +90000 c'],
  ];

  test.each<[Answer, string[]]>([
    [{ Yes: 'keep', No: 'skip' }, two],
    [{ Yes: 'keep', No: 'keep' }, all],
    ['ignore', all],
    ['description', ['2 -6000 Yes', '3 -1200 No', '4 +90000 Yes']],
    ['category', all],
  ])('%p settles it', async (answer, expected) => {
    expect(withoutDates(await answered(text, [answer]))).toEqual(expected);
  });

  test('says the direction of unsigned rows, and which happened, at once', async () => {
    const unsigned = text.replaceAll('-', '').replace('Yes', 'Cost');
    const answer = { Cost: 'out', No: 'skip', Yes: 'in' } as const;
    expect(withoutDates(await answered(unsigned, [answer]))).toEqual(two);
  });

  test('beside another sign than that of most rows takes the payment back', async () => {
    const read = await answered(text, [{ Yes: 'in', No: 'out' }]);
    expect(withoutDates(read)).toEqual(['2 -6000 a', '3 -1200 b', '4 +90000 c']);
  });

  test('does not hold for a value that is new, which is asked about alone', async () => {
    const options = { values: { booked: { yes: 'keep', ' NO ': 'skip' } } } as const;
    expect(withoutDates(await answered(text, [], options))).toEqual(two);
    const [question] = await questionsOf(table('Booked', 'Yes', 'Void', ''), options);
    expect(question).toMatchObject({ kind: 'values', name: 'Booked', values: ['Void', ''] });
    const later = await answered(table('Booked', 'Yes', 'Void', ''), [{ Void: 'skip', '': 'keep' }], options);
    expect(withoutDates(later)).toEqual(two);
  });

  test('is needed for the unknown words of a state alone', async () => {
    const text = table('Received', 'Yes', 'tbc', 'Yes');
    expect(await asked(text)).toEqual(['values Received']);
    const read = await answered(text, [], { values: { Received: { tbc: 'skip' } } });
    expect(withoutDates(read)).toEqual(two);
  });

  test('offers no field to a column that is read as one', async () => {
    const choices = async (name: string) =>
      (await questionsOf(table(name, 'Paid', 'Own', 'Paid')))[0]?.choices;
    expect(await choices('Status')).toEqual(['in', 'out', 'skip', 'keep', 'ignore']);
    expect(await choices('Booked')).toContain('category');
  });

  test('is needed at once with those about amounts that are not known', async () => {
    const text = table('Booked', 'Yes', 'No', 'Yes').replace(',Amount,', ',Sum,');
    expect(await asked(text)).toEqual(['amount Sum', 'values Booked']);
  });

  test('about a column that is nowhere is refused', async () => {
    const options = { values: { Bookd: { Yes: 'keep' } } } as const;
    await expect(answered(text, [], options)).rejects.toMatchObject({
      code: 'unknown_column',
      option: 'values',
    });
  });
});

test('a column that is called income or expense has words for them in every row, or asks', async () => {
  const text = table('Income or Expense?', 'income', 'E').replaceAll('-', '');
  expect(await questionsOf(text)).toMatchObject([{ kind: 'values', values: ['income', 'E'] }]);
  const answer = { values: { 'Income or Expense?': { E: 'out' } } } as const;
  expect(withoutDates(await answered(text, [], answer))).toEqual(['2 +6000 a', '3 -1200 b']);
});

describe('pence', () => {
  const AMOUNT = ['13/04/2026,a,-6000', '14/04/2026,b,-900', '15/04/2026,c,90000'];
  const header = 'Date,Description,Amount';
  test.each<[string, string, string?]>([
    ['a line above', csv('All amounts in pence', header, ...AMOUNT)],
    ['a line below', csv(header, ...AMOUNT, 'Amounts are pence,,')],
    ['the name of the column', csv('Date,Description,Sum in pence', ...AMOUNT), 'Sum in pence'],
    ['a column of units', csv(`${header},Unit`, ...AMOUNT.map((row) => `${row},pence`))],
    ['a code of prices of shares', csv(`${header},Currency`, ...AMOUNT.map((row) => `${row},GBp`))],
  ])('are asked about if %s names them', async (_, text, amount = 'Amount') => {
    expect((await asked(text, { map: { amount } })).some((each) => each.startsWith('unit'))).toBe(true);
  });

  test.each<[Answer, string[]]>([
    ['pence', ['3 -6000 a', '4 -900 b', '5 +90000 c']],
    ['pounds', ['3 -600000 a', '4 -90000 b', '5 +9000000 c']],
  ])('answered with %s', async (unit, expected) => {
    expect(withoutDates(await answered(csv('All amounts in pence', header, ...AMOUNT), [unit]))).toEqual(
      expected,
    );
  });

  test.each<[string, string[], string[]]>([
    ['whole numbers that are not rounded', ['-1422', '95032', '-6369', '-6154', '95056'], ['unit Amount']],
    ['no decimals', ['-1422.00', '95032', '-6369', '-6154', '95056'], []],
    ['no sign of pounds', ['-£1422', '95032', '-6369', '-6154', '95056'], []],
    ['no amount below 100', ['-14', '95032', '-6369', '-6154', '95056'], []],
    ['no rounded amounts', ['-1420', '95030', '-6369', '-6154', '95050'], []],
    ['five amounts', ['-1422', '95032', '-6369', '-6154'], []],
  ])('may be meant by %s', async (_, amounts, expected) => {
    const rows = amounts.map((amount, index) => `${13 + index}/04/2026,${'abcde'[index]},${amount}`);
    expect(await asked(csv(header, ...rows), { map: { amount: 'Amount' } })).toEqual(expected);
  });

  test('are read from a column of that name, and from no text about a payment', async () => {
    const pence = csv('Date,Description,Type,Amount pence', '13/04/2026,a,Expense,6000');
    expect(withoutDates(await answered(pence, []))).toEqual(['2 -6000 a']);
    const unsigned = csv('Date,Description,AmountPence', '13/04/2026,a,6000');
    expect(withoutDates(await answered(unsigned, ['spent']))).toEqual(['2 -6000 a']);
    expect(withoutDates(await answered(unsigned, ['moneyOut', 'pence']))).toEqual(['2 -6000 a']);
    const shop = csv(header, ...AMOUNT).replace(',a,', ',Pence,');
    expect(await asked(shop)).toEqual([]);
  });
});
