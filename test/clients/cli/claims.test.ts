/** A statement accounts for the entries of its account and days, whatever the rules, the property and the description were. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { BARCLAYS, CSV, csv, LLOYDS, landlord, lloyds, NUMBERED, ofx } from './landlord.ts';

setDefaultTimeout(60_000);

const DECIDE = '-s House_A --decide d.csv';
const row = (line: string) => expect.stringMatching(new RegExp(`^${line}`));

test('a file that names its account, for another property and without the rules, stores nothing again', async () => {
  const { write, push, stored } = await landlord();
  write(
    'a.csv',
    csv(
      BARCLAYS,
      ',02/06/2026,20-00-00 12345678,950.00,FT,RENT A',
      ',03/06/2026,20-00-00 12345678,800.00,FT,RENT B',
    ),
  );
  write('rules.txt', 'description contains "A" -> House A\notherwise -> House A\n');
  expect([await push('a.csv', '--rules rules.txt'), await push('a.csv', '-s House_B --no-rules')]).toEqual([
    0, 5,
  ]);
  expect(await stored()).toEqual(['06-02 950 A', '06-03 800 A']);
});

test('a payment that equals one of another account is proved only when somebody has said which is which', async () => {
  const { write, push, reconcile, stored, answer } = await landlord();
  const charge = (account: string) => csv(BARCLAYS, `,30/06/2026,20-00-00 ${account},-5.00,OTH,BANK CHARGE`);
  write('a.csv', charge('11111111'));
  write('b.csv', charge('22222222'));
  expect([await push('a.csv'), await reconcile('b.csv', DECIDE), await push('b.csv', DECIDE)]).toEqual([
    0, 6, 8,
  ]);
  answer('BANK CHARGE', 'send');
  expect([await reconcile('b.csv', DECIDE), await push('b.csv', DECIDE)]).toEqual([6, 0]);
  expect(await stored()).toEqual(['06-30 -5 A', '06-30 -5 A']);
  expect([await reconcile('b.csv', DECIDE), await reconcile('a.csv b.csv', DECIDE)]).toEqual([0, 0]);
});

describe('a description that changes, and with it', () => {
  const before = csv(CSV, '13/06/2026,AMZN PENDING,-120.00', '20/06/2026,AVIVA,-31.00');
  const now = csv(CSV, '13/06/2026,AMAZON,-120.00', '20/06/2026,AVIVA,-31.00');
  test.each([
    ['the property', 'description is "AMAZON" -> House B\notherwise -> House A\n'],
    [
      'the split',
      'description is "AMAZON" -> House A / split: other 60 % of payment, rest other\notherwise -> House A\n',
    ],
  ])('%s, is asked about', async (_, rules) => {
    const { write, push, stored } = await landlord();
    write('a.csv', before);
    write('b.csv', now);
    write('rules.txt', rules);
    expect([await push('a.csv', '--rules rules.txt'), await push('b.csv', '--rules rules.txt')]).toEqual([
      0, 8,
    ]);
    expect(await stored()).toEqual(['06-13 -120 A', '06-20 -31 A']);
  });

  test('the amounts of the parts: the list changes them, and the books prove', async () => {
    const { write, push, reconcile, lines } = await landlord();
    write('a.csv', csv(CSV, '20/06/2026,AVIVA,-100.00', '19/06/2026,X,-1.00'));
    write('b.csv', csv(CSV, '21/06/2026,AVIVA PREMIUM,-100.00', '19/06/2026,X,-1.00'));
    const rules = (share: number) =>
      write(
        'rules.txt',
        `"AVIVA" -> split: House A / other ${share} % of payment, House B / rest other\notherwise -> House A\n`,
      );
    rules(60);
    expect(await push('a.csv', '--rules rules.txt')).toBe(0);
    rules(50);
    const left = '--rules rules.txt --leave-probable';
    expect([await push('b.csv', '--rules rules.txt'), await push('b.csv', left)]).toEqual([8, 5]);
    expect(await reconcile('b.csv', left)).toBe(6);
    expect(lines('list.csv')).toEqual([
      expect.stringMatching(/^change,House A,.*amount 60.00,amount 50.00/),
      expect.stringMatching(/^change,House B,.*amount 40.00,amount 50.00/),
    ]);
  });
});

describe('an entry that the statement of its account does not have', () => {
  const before = csv(CSV, '02/06/2026,RENT,950.00', '13/06/2026,PENDING,-120.00', '20/06/2026,AVIVA,-31.00');
  const now = csv(CSV, '02/06/2026,RENT,950.00', '20/06/2026,AVIVA,-31.00');
  test('is not proved, and is on the list as one to remove', async () => {
    const { write, push, reconcile, lines } = await landlord();
    write('a.csv', before);
    write('b.csv', now);
    const label = '-s House_A --account-label main';
    expect([await push('a.csv', label), await reconcile('b.csv', label)]).toEqual([0, 6]);
    expect(lines('list.csv')).toEqual([expect.stringMatching(/^remove,House A,2026-06-13,PENDING/)]);
  });

  test('is a question about the file where no account is named, and never removed before the answer', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    write('a.csv', before);
    write('b.csv', now);
    const decide = '-s House_A --decide d.csv';
    expect([await push('a.csv'), await reconcile('b.csv', decide)]).toEqual([0, 6]);
    expect(lines('list.csv')).toEqual([expect.stringMatching(/^check,House A,2026-06-13,PENDING/)]);
    answer('Does the file have all payments', 'leave');
    expect([await reconcile('b.csv', decide), lines('list.csv')[0]]).toEqual([
      6,
      expect.stringMatching(/^remove/),
    ]);
  });

  test('of its first or last day is a question by itself, where no balance shows its end', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    const label = `${DECIDE} --account-label main`;
    write('a.csv', csv(CSV, '13/06/2026,X,-3.00', '20/06/2026,SHELL,-1.00'));
    write('b.csv', csv(CSV, '13/06/2026,X,-3.00', '20/06/2026,SHELL LEEDS,-45.20'));
    expect([await push('a.csv', label), await push('b.csv', label), await reconcile('b.csv', label)]).toEqual(
      [0, 0, 6],
    );
    expect(lines('list.csv')).toEqual([row('check,House A,2026-06-20,SHELL,')]);
    answer('all payments of this day', 'leave');
    expect(await reconcile('b.csv', label)).toBe(6);
    expect(lines('list.csv')).toEqual([row('remove,House A,2026-06-20,SHELL,')]);
  });

  test('of days that the bank names, up to five days from its rows, is a question by itself', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    const rows = ['20260613,X,-3.00,1', '20260617,Y,-4.00,2'];
    const days = (to: string) =>
      ofx(...rows).replace('<BANKTRANLIST>', `<BANKTRANLIST><DTSTART>20260601<DTEND>${to}`);
    write('a.ofx', ofx('20260607,A,-5.00,8', '20260608,B,-6.00,7', ...rows, '20260620,SHELL,-1.00,3'));
    write('b.ofx', days('20260619'));
    write('c.ofx', days('20260620'));
    expect([await push('a.ofx'), await reconcile('b.ofx', DECIDE)]).toEqual([0, 6]);
    expect(lines('list.csv')).toEqual([row('check,House A,2026-06-08,B,')]);
    expect(await reconcile('c.ofx', DECIDE)).toBe(6);
    expect(lines('list.csv')).toEqual([
      row('check,House A,2026-06-08,B,'),
      row('check,House A,2026-06-20,SHELL,'),
    ]);
    answer('all payments of this day', 'send');
    expect(await reconcile('c.ofx', DECIDE)).toBe(0);
  });

  test('is asked about beside the most alike row, and after the answer it is a second record of it', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    write(
      'a.csv',
      csv(
        BARCLAYS,
        ',10/06/2026,20-00-00 12345678,-2.00,FT,COFFEE',
        ',03/07/2026,20-00-00 12345678,-3.00,FT,PARKING',
        ',29/07/2026,20-00-00 12345678,-2.00,FT,COFFEE',
      ),
    );
    write(
      'b.csv',
      csv(
        NUMBERED,
        '01/07/2026,PARKING,-3.00,T1',
        '03/07/2026,PARKING,-3.00,T2',
        '20/07/2026,GARAGE,-9.00,T3',
      ),
    );
    expect([
      await push('a.csv'),
      await push('b.csv', '-s House_B'),
      await reconcile('b.csv', DECIDE),
    ]).toEqual([0, 0, 6]);
    expect(lines('d.csv')).toEqual([row(',.*,3,2026-07-03,.*PARKING,2026-07-03')]);
    answer('2026-07-03', 'leave');
    expect(await reconcile('b.csv', DECIDE)).toBe(6);
    expect(lines('list.csv')).toContainEqual(row('remove,House A,2026-07-03,PARKING'));
  });

  test('is one of its account if its id carries the number of the account, in another format', async () => {
    const { write, push, reconcile, lines } = await landlord();
    const id = 'GB29BARC20000012345678';
    write('a.csv', csv(NUMBERED, `13/06/2026,AMZN,-120.00,${id}:1`));
    write('b.ofx', ofx('20260601,X,-3.00,1', '20260701,Y,-3.00,2'));
    expect([await push('a.csv'), await push('b.ofx'), await reconcile('b.ofx')]).toEqual([0, 0, 6]);
    expect(lines('list.csv')).toEqual([row('remove,House A,2026-06-13,AMZN')]);
  });

  test('is a question about the file, if other rows are stored under another name of the account', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    write('a.csv', csv(CSV, '11/06/2026,X,-1.00', '13/06/2026,AMZN,-120.00', '20/06/2026,Y,-2.00'));
    write('b.ofx', ofx('20260611,X,-1.00,1', '20260620,Y,-2.00,2'));
    const left = `${DECIDE} --leave-probable`;
    expect([
      await push('a.csv', '-s House_A --account-label main'),
      await push('b.ofx', left),
      await reconcile('b.ofx', left),
    ]).toEqual([0, 0, 6]);
    expect(lines('list.csv')).toEqual([row('check,House A,2026-06-13,AMZN')]);
    answer('all payments of its account', 'send');
    expect(await reconcile('b.ofx', left)).toBe(0);
  });
});

test('the second of two equal payments of a day is stored after an answer, by its balance', async () => {
  const { write, push, reconcile, answer, stored } = await landlord();
  write(
    'a.csv',
    csv(
      LLOYDS,
      lloyds('30/06/2026', 'COFFEE', '3.00', '997.00'),
      lloyds('02/06/2026', 'X', '5.00', '1000.00'),
    ),
  );
  write(
    'b.csv',
    csv(
      LLOYDS,
      lloyds('05/07/2026', 'AVIVA', '30.00', '964.00'),
      lloyds('30/06/2026', 'COFFEE', '3.00', '994.00'),
    ),
  );
  const decide = '-s House_A --decide d.csv';
  expect([await push('a.csv'), await push('b.csv', decide)]).toEqual([0, 8]);
  answer('COFFEE', 'send');
  expect([await push('b.csv', decide), await push('b.csv')]).toEqual([0, 0]);
  expect(await stored()).toEqual(['06-02 -5 A', '06-30 -3 A', '06-30 -3 A', '07-05 -30 A']);
  expect([await reconcile('a.csv'), await reconcile('b.csv'), await reconcile('a.csv b.csv')]).toEqual([
    0, 0, 0,
  ]);
});

test('the same rent of two properties, in lists without an account, is two payments', async () => {
  const { write, push, stored } = await landlord();
  write('a.csv', csv(CSV, '2026-06-01,RENT,950.00'));
  expect([await push('a.csv'), await push('a.csv', '-s House_B'), await push('a.csv', '-s House_B')]).toEqual(
    [0, 0, 0],
  );
  expect(await stored()).toEqual(['06-01 950 A', '06-01 950 B']);
});

test('rows that another property has with equal content, under other ids, are not sent', async () => {
  const { write, push, stored } = await landlord();
  const of = (id: string) =>
    csv(
      NUMBERED,
      `11/06/2026,X,-1.00,${id}0`,
      `13/06/2026,PARKING,-3.00,${id}1`,
      `20/06/2026,Y,-2.00,${id}2`,
    );
  write('a.csv', of('T'));
  write('b.csv', of('U'));
  expect([await push('a.csv'), await push('b.csv', '-s House_B')]).toEqual([0, 2]);
  expect(await stored()).toHaveLength(3);
});
