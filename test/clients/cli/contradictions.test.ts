/** Files that contradict the books or each other prove nothing, whatever a person has answered about single payments. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { CSV, csv, LLOYDS, landlord, lloyds, NUMBERED, ofx } from './landlord.ts';

setDefaultTimeout(60_000);

const DECIDE = '-s House_A --decide d.csv';
const WHOLE = 'Does the file have all payments';
const row = (line: string) => expect.stringMatching(new RegExp(`^${line}`));

describe('two files of one account', () => {
  const label = `${DECIDE} --account-label main`;

  test('in which a payment has two amounts, are not proved, and no amount is preferred', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    write('a.csv', csv(CSV, '12/03/2026,X,-3.00', '14/03/2026,RENT,950.00', '29/04/2026,X,-3.00'));
    write('b.csv', csv(CSV, '12/03/2026,X,-3.00', '14/03/2026,RENT,994.20', '29/04/2026,X,-3.00'));
    expect(await push('a.csv b.csv', label)).toBe(8);
    answer('RENT', 'leave');
    expect([await push('a.csv b.csv', label), await reconcile('a.csv b.csv', label)]).toEqual([0, 6]);
    expect(lines('list.csv')).toEqual([row('check,House A,2026-03-14,RENT,.*differ in amount')]);
    expect(await reconcile('b.csv', label)).toBe(6);
    expect(lines('list.csv')).toEqual([row('change,House A,2026-03-14,RENT,amount 950.00,amount 994.20')]);
  });

  test('of which one has a part of a payment alone, are not proved', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    const split = 'split: expense professionalFees 12 % of gross, rest periodAmount';
    write('rules.txt', `description is "AGENT" -> House A / ${split}\notherwise -> House A\n`);
    write('own.csv', csv(CSV, '13/03/2026,TENANT,950.00', '14/03/2026,X,-4.00'));
    write('agent.csv', csv(CSV, '12/03/2026,Y,-3.00', '14/03/2026,AGENT,836.00', '29/04/2026,Z,-5.00'));
    const decided = '--rules rules.txt --decide d.csv';
    expect([await push('own.csv', decided), await push('own.csv agent.csv', decided)]).toEqual([0, 8]);
    answer('AGENT', 'leave');
    expect(await push('own.csv agent.csv', decided)).toBe(0);
    expect(await reconcile('own.csv agent.csv', decided)).toBe(6);
    expect(lines('list.csv')).toEqual([row('check,House A,2026-03-13,TENANT,.*differ in amount')]);
    expect(await reconcile('agent.csv', decided)).toBe(6);
    expect(lines('list.csv')).toContainEqual(row('remove,House A,2026-03-13,TENANT,.*split'));
  });

  test('in which a payment has one id and two amounts, are not proved', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    write('a.ofx', ofx('20260312,X,-3.00,1', '20260314,RENT,950.00,2', '20260429,X,-3.00,3'));
    write('b.ofx', ofx('20260312,X,-3.00,1', '20260314,RENT,994.20,2', '20260429,X,-3.00,3'));
    expect(await push('a.ofx b.ofx', DECIDE)).toBe(8);
    answer('RENT', 'leave');
    expect([await push('a.ofx b.ofx', DECIDE), await reconcile('a.ofx b.ofx', DECIDE)]).toEqual([0, 6]);
    expect(lines('list.csv')).toEqual([row('check,House A,2026-03-14,RENT,.*differ in amount')]);
  });

  test('that have a payment in two tax years, are not proved', async () => {
    const { write, push, reconcile, lines } = await landlord();
    write('a.csv', csv(CSV, '13/03/2026,X,-3.00', '05/04/2026,RENT,950.00'));
    write('b.csv', csv(CSV, '13/03/2026,X,-3.00', '06/04/2026,RENT,950.00'));
    const left = '-s House_A --account-label main --leave-probable';
    expect([await push('a.csv b.csv', left), await reconcile('a.csv b.csv', left)]).toEqual([0, 6]);
    expect(lines('list.csv')).toEqual([row('check,House A,2026-04-05,RENT,.*differ in date')]);
  });

  test('of which one lacks a row of the other on a day of both, are not proved', async () => {
    const { write, push, reconcile, lines } = await landlord();
    const files = 'a.csv b.csv';
    write('a.csv', csv(CSV, '12/03/2026,X,-3.00', '07/04/2026,SHELL AUTH,-1.00', '29/04/2026,X,-3.00'));
    write('b.csv', csv(CSV, '12/03/2026,X,-3.00', '07/04/2026,SHELL LEEDS,-45.20', '29/04/2026,X,-3.00'));
    expect([await push(files, label), await reconcile(files, label)]).toEqual([0, 6]);
    expect(lines('list.csv').sort()).toEqual([
      row('check,House A,2026-04-07,SHELL AUTH,.*a.csv'),
      row('check,House A,2026-04-07,SHELL LEEDS,.*b.csv'),
    ]);
    expect(await reconcile('b.csv', label)).toBe(6);
    expect(lines('list.csv')).toEqual([row('remove,House A,2026-04-07,SHELL AUTH')]);
  });

  test('without an account: two ids of a payment are a question, also if both are stored', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    const of = (id: string) =>
      csv(
        NUMBERED,
        `11/06/2026,X,-1.00,${id}0`,
        `13/06/2026,PARKING,-3.00,${id}1`,
        `20/06/2026,Y,-2.00,${id}2`,
      );
    write('a.csv', of('T'));
    write('b.csv', of('U'));
    expect([
      await push('a.csv'),
      await push('b.csv', '-s House_A --send-probable'),
      await reconcile('a.csv b.csv', DECIDE),
    ]).toEqual([0, 0, 6]);
    expect(lines('list.csv')).toEqual([row('check,House A,2026-06-13,PARKING')]);
    answer('PARKING', 'leave');
    expect(await reconcile('a.csv b.csv', DECIDE)).toBe(6);
    expect(lines('list.csv')).toEqual([row('remove,House A,2026-06-13,PARKING')]);
  });

  test('that overlap are proved: a file claims nothing on its first and its last day', async () => {
    const { write, push, reconcile } = await landlord();
    write('a.csv', csv(CSV, '01/06/2026,X,-3.00', '10/06/2026,Y,-4.00', '15/06/2026,Z,-5.00'));
    write(
      'b.csv',
      csv(CSV, '10/06/2026,Y,-4.00', '15/06/2026,Z,-5.00', '15/06/2026,W,-6.00', '20/06/2026,V,-7.00'),
    );
    const files = 'a.csv b.csv';
    expect([await push(files, label), await push(files, label), await reconcile(files, label)]).toEqual([
      0, 0, 0,
    ]);
  });

  test('of which one leaves a row out, do not contradict each other', async () => {
    const { write, push, reconcile } = await landlord();
    write('a.csv', csv(CSV, '12/03/2026,X,-3.00', '07/04/2026,SAVINGS,-100.00', '29/04/2026,X,-3.00'));
    write('b.csv', csv(CSV, '12/03/2026,X,-3.00', '08/04/2026,SAVINGS,-50.00', '29/04/2026,X,-3.00'));
    write('rules.txt', 'description is "SAVINGS" and amount under 60 -> leave out\notherwise -> House A\n');
    const rules = '--rules rules.txt --account-label main';
    expect([await push('a.csv b.csv', rules), await reconcile('a.csv b.csv', rules)]).toEqual([0, 0]);
  });
});

describe('an entry that a file lacks, and that does not show its account', () => {
  const [first, last] = ['11/06/2026,COFFEE,-2.00,T1', '29/07/2026,COFFEE,-2.00,T3'];

  test.each([
    ['a file without an account, and an id of a bank', '', ''],
    ['a file that names its account, and an id of a bank', '', ' --account-label main'],
  ])('is asked about once for the file: %s', async (_, before, now) => {
    const { write, push, reconcile, lines, answer } = await landlord();
    write('a.csv', csv(NUMBERED, first, '01/07/2026,AMZN,-150.00,T2', '02/07/2026,SHOP,-9.00,T9', last));
    write('b.csv', csv(NUMBERED, first, last));
    expect([await push('a.csv', DECIDE + before), await reconcile('b.csv', DECIDE + now)]).toEqual([0, 6]);
    expect([lines('d.csv').length, lines('list.csv')]).toEqual([
      1,
      [row('check,House A,2026-07-01,AMZN'), row('check,House A,2026-07-02,SHOP')],
    ]);
    answer(WHOLE, 'send');
    expect(await reconcile('b.csv', DECIDE + now)).toBe(0);
  });

  test('is asked about although the file names its account: it was stored before the account had its name', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    write('a.csv', csv(CSV, '11/06/2026,COFFEE,-2.00', '01/07/2026,AMZN,-150.00', '29/07/2026,COFFEE,-2.00'));
    write('b.csv', csv(CSV, '11/06/2026,COFFEE,-2.00', '29/07/2026,COFFEE,-2.00'));
    const label = `${DECIDE} --account-label main`;
    expect([await push('a.csv'), await reconcile('b.csv', label)]).toEqual([0, 6]);
    expect(lines('list.csv')).toEqual([row('check,House A,2026-07-01,AMZN')]);
    answer(WHOLE, 'leave');
    expect([await reconcile('b.csv', label), lines('list.csv')]).toEqual([
      6,
      [row('remove,House A,2026-07-01')],
    ]);
  });

  test.each([
    ['without an account', NUMBERED, ''],
    ['that names its account', CSV, ' --account-label main'],
  ])('stays one after the answer that it is not a row: a file %s', async (_, header, now) => {
    const { write, push, reconcile, lines, answer } = await landlord();
    const rows = (...days: string[]) =>
      csv(header, ...days.map((day) => `${day}/2026,PARKING,-3.00${header === CSV ? '' : `,T${day}`}`));
    write('a.csv', rows('11/06', '01/07', '03/07', '29/07'));
    write('b.csv', rows('11/06', '03/07', '29/07'));
    expect([await push('a.csv'), await reconcile('b.csv', DECIDE + now)]).toEqual([0, 6]);
    answer('PARKING', 'send');
    expect([await reconcile('b.csv', DECIDE + now), lines('list.csv')]).toEqual([
      6,
      [row('check,House A,2026-07-01,PARKING')],
    ]);
    expect(lines('d.csv')).toContainEqual(expect.stringContaining(WHOLE));
  });

  test('is one about the file too, if its id carries an account and the file has none', async () => {
    const { write, push, reconcile, answer } = await landlord();
    write('a.ofx', ofx('20260701,AMZN,-150.00,1'));
    write('b.csv', csv(CSV, '11/06/2026,COFFEE,-2.00', '29/07/2026,COFFEE,-2.00'));
    expect([await push('a.ofx'), await push('b.csv'), await reconcile('b.csv', DECIDE)]).toEqual([0, 0, 6]);
    answer(WHOLE, 'send');
    expect(await reconcile('b.csv', DECIDE)).toBe(0);
  });
});

test('a payment that moved over the edge of two files explains the balance between them', async () => {
  const { write, push, reconcile, answer } = await landlord();
  const x = lloyds('02/06/2026', 'X', '5.00', '1000.00');
  write('a.csv', csv(LLOYDS, lloyds('10/06/2026', 'BOILER', '120.00', '880.00'), x));
  write('b.csv', csv(LLOYDS, lloyds('11/06/2026', 'BOILER', '120.00', '880.00'), x));
  expect(await push('a.csv b.csv', DECIDE)).toBe(8);
  answer('BOILER', 'leave');
  expect([await push('a.csv b.csv', DECIDE), await reconcile('a.csv b.csv', DECIDE)]).toEqual([0, 0]);
});

test('a payment that moved into another quarter is not proved by both files: the later one leads to the right list', async () => {
  const { write, push, reconcile, answer, ledger, lines } = await landlord();
  const before = lloyds('02/06/2026', 'X', '5.00', '1000.00');
  write('a.csv', csv(LLOYDS, lloyds('30/06/2026', 'BOILER', '120.00', '880.00'), before));
  write('b.csv', csv(LLOYDS, lloyds('01/07/2026', 'BOILER', '120.00', '880.00'), before));
  expect(await push('a.csv b.csv', DECIDE)).toBe(8);
  answer('BOILER', 'leave');
  expect(await push('a.csv b.csv', DECIDE)).toBe(0);
  const { exitCode, out } = await ledger(`reconcile a.csv b.csv ${DECIDE}`);
  expect([exitCode, out]).toEqual([
    6,
    expect.stringMatching(/differs in date\. Reconcile the right file alone/),
  ]);
  expect(await reconcile('b.csv', DECIDE)).toBe(6);
  expect(lines('list.csv')).toEqual([
    row('change,House A,2026-06-30,BOILER,date 2026-06-30,date 2026-07-01'),
  ]);
});

test.each([
  ['property', 'House A', 'House B'],
  ['category', 'House A / repairsAndMaintenance', 'House A / costOfServices'],
])(
  'a payment to which the rules give another %s in each of two files is not proved by both',
  async (fact, one, other) => {
    const { write, push, ledger, answer, lines } = await landlord();
    const options = '--rules rules.txt --decide d.csv';
    write('rules.txt', `"AMZN" -> ${one}\n"AMAZON" -> ${other}\notherwise -> House A\n`);
    const rows = (text: string) => [
      lloyds('12/06/2026', 'Y', '5.00', '867.00'),
      lloyds('10/06/2026', text, '128.00', '872.00'),
      lloyds('02/06/2026', 'X', '5.00', '1000.00'),
    ];
    write('a.csv', csv(LLOYDS, ...rows('AMZN PENDING')));
    write('b.csv', csv(LLOYDS, ...rows('AMAZON MARKETPLACE')));
    expect([await push('a.csv', options), await push('b.csv', options)]).toEqual([0, 8]);
    answer('AMAZON', 'leave');
    const { exitCode, out } = await ledger(`reconcile a.csv b.csv --corrections list.csv ${options}`);
    expect([exitCode, out]).toEqual([
      6,
      expect.stringContaining(`differs in ${fact}. Reconcile the right file alone`),
    ]);
    expect(lines('list.csv')).toEqual([row(`check,House A,2026-06-10,AMZN PENDING,.*differ in ${fact}`)]);
  },
);

test('a row whose reference an entry of another month has is named with that entry', async () => {
  const { write, push, ledger } = await landlord();
  write('a.csv', csv(NUMBERED, '13/06/2026,RENT,950.00,1'));
  write('b.csv', csv(NUMBERED, '13/08/2026,PLUMBER,-120.00,1', '20/08/2026,ROOF,-700.00,3'));
  expect([await push('a.csv'), await push('b.csv')]).toEqual([0, 9]);
  const { exitCode, out } = await ledger('reconcile b.csv -s House_A');
  expect([exitCode, out]).toEqual([6, expect.stringMatching(/belongs to entry .* of 2026-06-13/)]);
});

test('a row that is split now, and whose reference is taken, is corrected by hand: its entry is not removed', async () => {
  const { write, push, reconcile, lines, answer } = await landlord();
  write('a.csv', csv(NUMBERED, '13/06/2026,RENT,950.00,1', '20/06/2026,AMZN,-120.00,2'));
  write('b.csv', csv(NUMBERED, '20/06/2026,AMAZON,-120.00,1', '30/06/2026,X,-1.00,9'));
  write(
    'rules.txt',
    '"AMAZON" -> House A / split: other 60 % of payment, rest other\notherwise -> House A\n',
  );
  const rules = '--rules rules.txt --decide d.csv';
  expect([await push('a.csv'), await push('b.csv', rules)]).toEqual([0, 8]);
  answer('AMAZON', 'leave');
  expect([await push('b.csv', rules), await reconcile('b.csv', rules)]).toEqual([5, 6]);
  expect(lines('list.csv')).toEqual([row('check,House A,2026-06-20,AMZN,.*by hand')]);
});
