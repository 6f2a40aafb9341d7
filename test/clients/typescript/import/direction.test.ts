/** The direction of a single amount has no default: evidence of the whole file settles it, or the person is asked. */
import { describe, expect, test } from 'bun:test';
import { withAnswer } from '../../../../clients/typescript/import/index.ts';
import { type Answer, answered, asked, questionsOf, withoutDates } from './answered.ts';
import { readOpen } from './files.ts';
import { csv, ofx, payment } from './outcome.ts';

const HEADER = 'Date,Description,Amount';
const table = (...amounts: string[]) =>
  csv(HEADER, ...amounts.map((amount, index) => `${13 + index}/04/2026,${'abcdef'[index]},${amount}`));
/** A table with one more column. @param rows `amount other` */
const more = (name: string, ...rows: string[]) =>
  csv(
    `${HEADER},${name}`,
    ...rows.map((row, index) => `${13 + index}/04/2026,${'abcdef'[index]},${row.replace(' ', ',')}`),
  );
const MINUS = ['-60.00', '-12.00', '900.00'];
const BALANCED = more('Balance', '60.00 160.00', '12.00 172.00', '-20.00 152.00');

describe('is settled by', () => {
  test.each([
    ['a minus on most rows', table(...MINUS), ['-6000', '-1200', '+90000']],
    ['a running balance over all rows', BALANCED, ['+6000', '+1200', '-2000']],
    ['letters in every row', table('60.00 CR', '12.00 CR', '9.00 DR'), ['+6000', '+1200', '-900']],
    [
      'a column of which every value is a direction',
      more('Flow', '60.00 Out', '900.00 In'),
      ['-6000', '+90000'],
    ],
    [
      'a column whose name says that it is the direction',
      more('Direction', '60.00 Out', '12.00 out'),
      ['-6000', '-1200'],
    ],
  ])('%s', async (_, text, expected) => {
    const amounts = (await answered(text, [])).map((line) => line.split(' ')[2]);
    expect(amounts).toEqual(expected);
  });
});

describe('is asked about', () => {
  test.each([
    ['no amount has a minus', table('60.00', '12.00')],
    ['one refund has one', table('60.00', '12.00', '33.00', '-20.00')],
    ['the only row has one', table('-60.00')],
    ['half of the rows have one', table('-60.00', '-12.00', '33.00', '20.00')],
    ['one row lacks its balance', BALANCED.replace('152.00', '')],
    ['the balance falls where the amount is positive', BALANCED.replace('172.00', '148.00')],
    [
      'most of the rows with a minus came in',
      table('60.00', ...MINUS.slice(0, 2), '-3.00').replace(/,[bc],/g, ',Refund of a shop,'),
    ],
    ['the only column of directions has one unknown word', more('Flow', '60.00 Out', '9.00 Own')],
    [
      'a minus is on most rows, and the balance rises by it',
      more('Balance', '-60.00 160.00', '-12.00 172.00', '9.00 163.00'),
    ],
  ])('if %s', async (_, text) => {
    expect(await asked(text)).toContain('direction Amount');
  });

  test.each(['barclaycard-april.csv', 'creditcard.csv', 'Visa 2026.csv', 'mortgage_account.csv'])(
    'in a file called %s, whatever its signs and balances',
    async (fileName) => {
      expect(await asked(table(...MINUS), { fileName })).toEqual(['direction Amount']);
      expect(await asked(BALANCED, { fileName })).toEqual(['direction Amount']);
      expect(await asked(table(...MINUS), { fileName: 'statement.csv' })).toEqual([]);
    },
  );

  test.each([
    ['a line above', csv('Barclaycard Platinum') + table(...MINUS)],
    ['a column', more('Card member', ...MINUS.map((amount) => `${amount} J SMITH`))],
    ['an account', more('Account', ...MINUS.map((amount) => `${amount} Credit card`))],
    ['the payment of the card', table('-7.00', ...MINUS).replace(',b,', ',PAYMENT RECEIVED - THANK YOU,')],
  ])('where %s names a card', async (_, text) => {
    expect(await asked(text)).toContain('direction Amount');
  });
});

test('a person goes before the layout of a card', async () => {
  const rows = ['-60.00', '-12.00', '9.00'].map((amount) => `13/04/2026,,1,a,${amount},`);
  const card = csv('Date,Date entered,Reference,Description,Amount,', ...rows);
  expect(withoutDates(await answered(card, [], { map: { amount: 'Amount' } }))).toEqual([
    '2 -6000 a',
    '3 -1200 a',
    '4 +900 a',
  ]);
});

describe('an answer', () => {
  test.each<[Answer, string[], string[]]>([
    ['amount', ['60.00', '12.00', '-20.00'], ['2 +6000 a', '3 +1200 b', '4 -2000 c']],
    ['spent', ['60.00', '12.00', '-20.00'], ['2 -6000 a', '3 -1200 b', '4 +2000 c']],
    ['moneyIn', ['60.00', '12.00'], ['2 +6000 a', '3 +1200 b']],
    ['moneyOut', ['60.00', '12.00'], ['2 -6000 a', '3 -1200 b']],
    ['amount', ['60.00', '12.00'], ['2 +6000 a', '3 +1200 b']],
    ['spent', ['60.00', '12.00'], ['2 -6000 a', '3 -1200 b']],
  ])('%s settles %p', async (answer, amounts, expected) => {
    expect(withoutDates(await answered(table(...amounts), [answer]))).toEqual(expected);
  });

  test('is money in or money out as a whole only if no amount has a minus', async () => {
    const choices = async (text: string) => (await questionsOf(text))[0]?.choices;
    expect(await choices(table('60.00'))).toEqual(['moneyIn', 'moneyOut', 'amount', 'spent']);
    expect(await choices(table('60.00', '-12.00', '1.00'))).toEqual(['amount', 'spent']);
  });

  test('about the values of another column settles it too', async () => {
    const kinds = more('Kind', '60.00 Cost', '900.00 Rent', '-20.00 Cost');
    expect(
      (await questionsOf(kinds)).map(({ kind, choices }) => [kind, choices.includes('unsigned')]),
    ).toEqual([
      ['values', false],
      ['direction', true],
    ]);
    const read = withoutDates(await answered(kinds, [{ Cost: 'out', Rent: 'in' }]));
    expect(read).toEqual(['2 -6000 a', '3 +90000 b', '4 +2000 c']);
  });

  test('about the kinds of a card settles it, where the minus is that of money in', async () => {
    const kinds = more('Type', '8.01 Sale', '-52.42 Payment', '-25.24 Return');
    const read = withoutDates(await answered(kinds, [{ Sale: 'out', Payment: 'skip', Return: 'in' }]));
    expect(read).toEqual(['2 -801 a', '3 skipped', '4 +2524 c']);
    // With both answers the words say the same as the signs.
    const values = { Type: { Sale: 'out', Payment: 'in', Return: 'in' } } as const;
    expect(withoutDates(await answered(kinds, [], { values, map: { spent: 'Amount' } }))).toEqual([
      ...['2 -801 a', '3 +5242 b', '4 +2524 c'],
    ]);
  });

  test('of a column that has directions does not silence a second column named for one', async () => {
    const text = csv(
      `${HEADER},Type,Direction`,
      '13/04/2026,a,12.50,income,',
      '14/04/2026,b,45.00,income,OUT',
    );
    expect(await asked(text)).toEqual(['values Direction']);
    const read = withoutDates(await answered(text, [{ '': 'keep', OUT: 'skip' }]));
    expect(read).toEqual(['2 +1250 a', '3 skipped']);
  });

  test('about the categories comes before one about the amount that no category settles', async () => {
    const without: Answer[] = ['unsigned', { Repairs: 'keep', Rent: 'keep' }, 'spent'];
    const read = await answered(more('Category', '60.00 Repairs', '900.00 Rent'), without);
    expect(withoutDates(read)).toEqual(['2 -6000 a', '3 -90000 b']);
  });
});

describe('the values of a column that may give the direction', () => {
  const TABLE = more('Category', '60.00 Repairs', '900.00 Rent');
  const CATEGORY = { Category: { Repairs: 'out', Rent: 'in' } } as const;

  test('get their meaning, and the amount its direction, by one answer', async () => {
    expect(await asked(TABLE)).toEqual(['direction Amount']);
    const [question] = await questionsOf(TABLE);
    expect(question?.questions?.map(({ name }) => name)).toEqual(['Category']);
    expect(question && withAnswer({}, question, CATEGORY)).toEqual({
      map: { unsigned: 'Amount' },
      values: CATEGORY,
    });
    expect(withoutDates(await answered(TABLE, [CATEGORY]))).toEqual(['2 -6000 a', '3 +90000 b']);
  });

  test('are in the question about an amount of unknown name', async () => {
    const [question] = await questionsOf(TABLE.replace('Amount', 'Sum paid'));
    expect([question?.kind, question?.questions?.map(({ name }) => name)]).toEqual(['amount', ['Category']]);
  });

  test('are not in it if the column is asked about in any case', async () => {
    const text = more('Category,Flow', '60.00 Repairs,Away', '900.00 Rent,Here');
    expect(await asked(text)).toEqual(['values Flow', 'direction Amount']);
    const [, direction] = await questionsOf(text);
    expect(direction?.questions?.map(({ name }) => name)).toEqual(['Category']);
  });
});

describe('of OFX', () => {
  /** @param rows `type amount memo`, apart by commas */
  const statement = (rows: string) => {
    const payments = rows.split(', ').map((row, index) => {
      const [type = '', amount = '', ...memo] = row.split(' ');
      return payment(type, amount, `${index}`, memo.length > 0 ? `<MEMO>${memo.join(' ')}` : '');
    });
    return ofx(payments.join(''));
  };
  const card = (text: string) => text.replaceAll('STMTRS', 'CCSTMTRS').replaceAll('BANKACCT', 'CCACCT');
  /** The amount of each row, or that it is invalid. */
  const read = async (text: string, ...answers: Answer[]) =>
    withoutDates(await answered(text, answers))
      .map((row) => row.split(' ')[1])
      .join(' ');

  test.each([
    ['types agree', 'CREDIT 1, DEP 2, XFER 4, INT 5', '+100 +200 +400 +500'],
    ['one type agrees', 'OTHER 1, CHECK 2, DEBIT -3', '+100 +200 -300'],
    ['most types agree', 'DEBIT -1, CREDIT 2, DEBIT 4', '-100 +200 invalid'],
    ['a minus is on most rows', 'POS -1, OTHER -2, OTHER 4', '-100 -200 +400'],
  ])('is settled if %s', async (_, rows, expected) => {
    expect(await read(statement(rows))).toBe(expected);
  });

  test('of a card is settled only by its types', async () => {
    expect(await read(card(statement('OTHER 1, OTHER 2, DEBIT -4')))).toBe('+100 +200 -400');
    expect(await asked(card(statement('POS -1, OTHER -2, OTHER 4')))).toEqual(['direction TRNAMT']);
  });

  const PAID_OFF = 'OTHER -1, POS -4, OTHER -2 PAYMENT RECEIVED - THANK YOU';
  const OPPOSITE = 'DEBIT 1, CREDIT -2, OTHER -4, OTHER -8';
  test.each([
    ['no row has a minus', 'POS 1, OTHER 2', '+100 +200', '-100 -200'],
    ['one row has a minus', 'POS 1, ATM 2, OTHER -4', '+100 +200 -400', '-100 -200 +400'],
    ['types contradict the signs', OPPOSITE, 'invalid invalid -400 -800', '-100 +200 +400 +800'],
    [
      'one type agrees, one does not',
      'CREDIT 1, CREDIT -3, CHECK 8',
      '+100 invalid +800',
      'invalid +300 -800',
    ],
    ['a card is paid off with a minus', PAID_OFF, '-100 -400 -200', '+100 +400 +200'],
  ])('is asked about if %s', async (_, rows, amount, spent) => {
    expect(await asked(statement(rows))).toEqual(['direction TRNAMT']);
    expect(await read(statement(rows), 'amount')).toBe(amount);
    expect(await read(statement(rows), 'spent')).toBe(spent);
  });

  test('is that of the types, by an answer, where no amount has a minus', async () => {
    expect(await asked(statement('DEBIT 5, CREDIT 6'))).toEqual(['direction TRNAMT']);
    expect(await read(statement('DEBIT 5, CREDIT 6'), 'unsigned')).toBe('-500 +600');
    // Not offered, but a kept answer may say it.
    const byType = readOpen(statement('DEBIT 5, POS 6'), { map: { unsigned: 'TRNAMT' } });
    await expect(byType).rejects.toMatchObject({ code: 'unresolved_columns' });
  });

  test('is that of each statement', async () => {
    const [settled, open] = [statement('POS -1, POS -2'), statement('POS 4, POS 8')];
    const both = settled.replace('</OFX>\n', open.slice(open.indexOf('<STMTRS>')));
    expect(await read(both, 'spent')).toBe('-100 -200 -400 -800');
  });
});

describe('of QIF', () => {
  const section = (type: string, ...amounts: string[]) =>
    `!Type:${type}\n${amounts.map((amount, index) => `D${13 + index}/04/2026\nT${amount}\nP${'abcdef'[index]}\n^\n`).join('')}`;
  const account = (name: string, text: string) => `!Account\nN${name}\nTBank\n^\n${text}`;
  const read = async (text: string, ...answers: Answer[]) =>
    (await answered(text, answers)).map((row) => row.split(' ')[2]).join(' ');

  test('is settled by a minus on most payments of the section', async () => {
    expect(await read(section('Bank', ...MINUS))).toBe('-6000 -1200 +90000');
  });

  test.each([
    ['no payment has a minus', section('Cash', '60.00', '12.00')],
    ['one payment has a minus', section('Cash', '60.00', '12.00', '-5.00')],
    ['the section is of a card', section('CCard', ...MINUS)],
    ['the section is of a debt', section('Oth L', ...MINUS)],
    ['the account is called a card', account('Barclaycard', section('Bank', ...MINUS))],
  ])('is asked about if %s', async (_, text) => {
    expect(await asked(text)).toEqual(['direction T']);
  });

  test('is asked about in a file called a card', async () => {
    expect(await asked(section('Bank', ...MINUS), { fileName: 'visa.qif' })).toEqual(['direction T']);
  });

  const OPEN = section('Cash', '60.00', '12.00', '-5.00');
  const UNSIGNED = section('Cash', '60.00', '12.00');
  const OF_TWO = section('Bank', ...MINUS) + section('CCard', '7.00', '9.00');
  test.each<[Answer, string, string]>([
    ['amount', OPEN, '+6000 +1200 -500'],
    ['spent', OPEN, '-6000 -1200 +500'],
    ['spent', OF_TWO, '-6000 -1200 +90000 -700 -900'],
    ['moneyOut', UNSIGNED, '-6000 -1200'],
    ['moneyIn', UNSIGNED, '+6000 +1200'],
  ])('is answered with %s for the sections that are open', async (answer, text, expected) => {
    expect(await read(text, answer)).toBe(expected);
  });
});
