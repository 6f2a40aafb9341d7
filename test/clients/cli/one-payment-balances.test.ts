/** Balances that follow by chance, balances that are broken, and equal ids in one file: each row is an entry, or is named as not stored. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { CSV, csv, LLOYDS, landlord, lloyds, NUMBERED } from './landlord.ts';

setDefaultTimeout(60_000);

const DECIDE = '-s House_A --decide d.csv';
type Landlord = Awaited<ReturnType<typeof landlord>>;

describe('balances that follow by chance exclude no payment', () => {
  test('of which a later file shows the day: a rent is booked late, and an equal one has moved', async () => {
    const { write, push, answer, stored } = await landlord();
    write(
      'a.csv',
      csv(
        LLOYDS,
        lloyds('30/05/2026', 'RENT', '50.00', '947.00'),
        lloyds('07/05/2026', 'X', '3.00', '997.00'),
      ),
    );
    write(
      'b.csv',
      csv(
        LLOYDS,
        lloyds('03/06/2026', 'RENT', '50.00', '897.00'),
        lloyds('10/05/2026', 'RENT', '50.00', '947.00'),
        lloyds('07/05/2026', 'X', '3.00', '997.00'),
      ),
    );
    expect([await push('a.csv'), await push('b.csv', DECIDE)]).toEqual([0, 8]);
    answer('03/06/2026', 'leave');
    answer('2026-06-03', 'leave');
    expect(await push('b.csv', DECIDE)).toBe(0);
    expect(await stored()).toEqual(['05-07 -3 A', '05-10 -50 A', '05-30 -50 A']);
  });

  test('if a row before the balance is new', async () => {
    const { write, push, lines } = await landlord();
    write(
      'a.csv',
      csv(
        LLOYDS,
        lloyds('04/04/2026', 'X', '3.00', '877.00'),
        lloyds('03/04/2026', 'ROOF', '120.00', '880.00'),
      ),
    );
    write(
      'b.csv',
      csv(
        LLOYDS,
        lloyds('06/04/2026', 'ROOF', '120.00', '757.00'),
        lloyds('04/04/2026', 'ROOF', '120.00', '877.00'),
      ),
    );
    expect([await push('a.csv'), await push('b.csv', DECIDE)]).toEqual([0, 8]);
    expect(lines('d.csv')).toEqual([
      expect.stringContaining('2026-04-06'),
      expect.stringContaining('2026-04-04'),
    ]);
  });
});

describe('a closing balance that the account has again on its day leaves open which rows follow it', () => {
  const rent = (balance: string) => lloyds('03/07/2026', 'RENT', '10.00', balance);
  const paidIn = (text: string, amount: string, balance: string) =>
    lloyds('03/07/2026', text, '', balance).replace(`,${text},,,`, `,${text},,${amount},`);
  const returned = [paidIn('RENT', '10.00', '100.00'), rent('90.00')];
  const first = csv(LLOYDS, ...returned, lloyds('01/07/2026', 'X', '5.00', '100.00'));
  const later = [lloyds('04/07/2026', 'Y', '3.00', '102.00'), paidIn('LATE', '5.00', '105.00'), ...returned];
  const LATER = ['07-03 5 A', '07-04 -3 A'];
  const FIRST = ['07-01 -5 A', '07-03 -10 A', '07-03 10 A'];
  const AGAIN = ['07-03 -10 A', '07-03 10 A'];

  /** Pushes until no question is open. */
  async function pushAll({ push, answer }: Landlord, files: string, decision: string) {
    const codes = [await push(files, DECIDE)];
    while (codes.at(-1) === 8 && codes.length < 9) {
      answer('RENT', decision);
      codes.push(await push(files, DECIDE));
    }
    return [codes[0], codes.at(-1)];
  }

  test.each([
    ['leave', []],
    ['send', AGAIN],
  ])('in two files of one run: %s', async (decision, again) => {
    const someone = await landlord();
    someone.write('a.csv', first);
    someone.write('b.csv', csv(LLOYDS, ...later));
    const { probable } = (await someone.ledger(`push a.csv b.csv ${DECIDE} --dry-run --json`)).json();
    expect(probable).toMatchObject([
      { row: 4, other: { row: 2 } },
      { row: 5, other: { row: 3 } },
    ]);
    expect(await pushAll(someone, 'a.csv b.csv', decision)).toEqual([8, 0]);
    expect(await someone.stored()).toEqual([...FIRST, ...LATER, ...again].sort());
    expect(await someone.reconcile('a.csv b.csv', DECIDE)).toBe(0);
  });

  test.each([
    ['leave', []],
    ['send', AGAIN],
  ])('in a later push: %s', async (decision, again) => {
    const someone = await landlord();
    someone.write('a.csv', csv(LLOYDS, rent('90.00'), ...returned));
    someone.write('b.csv', csv(LLOYDS, rent('90.00'), ...returned.toReversed().slice(1), rent('90.00')));
    expect(await someone.push('a.csv')).toBe(0);
    expect(await pushAll(someone, 'b.csv', decision)).toEqual([8, 0]);
    expect(await someone.stored()).toEqual([...AGAIN, ...again, '07-03 -10 A'].sort());
  });

  test('but not in a file that shows the whole day', async () => {
    const { write, push, stored } = await landlord();
    write('a.csv', first);
    write('b.csv', csv(LLOYDS, ...later, ...returned, lloyds('01/07/2026', 'X', '5.00', '100.00')));
    expect([await push('a.csv'), await push('a.csv'), await push('a.csv b.csv')]).toEqual([0, 0, 0]);
    expect(await stored()).toEqual([...FIRST, ...AGAIN, ...LATER].sort());
  });

  test('in rows of one day that add up to 0, the balance after the last one is unknown', async () => {
    const { write, push, stored } = await landlord();
    write('a.csv', first);
    write('b.csv', csv(LLOYDS, ...returned));
    write('c.csv', csv(LLOYDS, rent('90.00')));
    expect([await push('a.csv'), await push('b.csv'), await push('c.csv', DECIDE)]).toEqual([0, 0, 8]);
    expect(await stored()).toEqual(FIRST);
  });
});

test('in a file of one day, too, the balances give the order of the rows', async () => {
  const { write, push, answer, stored } = await landlord();
  const row = (balance: string) => lloyds('03/07/2026', 'PARKING', '3.00', balance);
  write('a.csv', csv(LLOYDS, row('94.00'), row('97.00')));
  write('b.csv', csv(LLOYDS, row('91.00'), row('94.00')));
  expect([await push('a.csv'), await push('b.csv', DECIDE)]).toEqual([0, 8]);
  answer('PARKING', 'send');
  expect(await push('b.csv', DECIDE)).toBe(0);
  expect(await stored()).toEqual(Array(3).fill('07-03 -3 A'));
});

test('a row after the kept balance is asked about, also beside the file with that balance', async () => {
  const { write, push, answer, stored } = await landlord();
  const row = (text: string, out: string, balance: string) => lloyds('03/07/2026', text, out, balance);
  write('a.csv', csv(LLOYDS, row('PARKING', '3.00', '97.00')));
  write('b.csv', csv(LLOYDS, row('RENT', '7.00', '90.00')));
  write('c.csv', csv(LLOYDS, row('PARKING', '3.00', '87.00')));
  expect([await push('a.csv'), await push('b.csv'), await push('b.csv c.csv', DECIDE)]).toEqual([0, 0, 8]);
  answer('PARKING', 'send');
  expect([await push('b.csv c.csv', DECIDE), await push('c.csv')]).toEqual([0, 0]);
  expect(await stored()).toEqual(['07-03 -3 A', '07-03 -3 A', '07-03 -7 A']);
});

test('a broken balance leaves open whether a row of the day that two files share is the stored one', async () => {
  const { write, push, answer, stored } = await landlord();
  write(
    'a.csv',
    csv(
      LLOYDS,
      lloyds('30/06/2026', 'COFFEE', '3.00', '992.00'),
      lloyds('02/06/2026', 'X', '5.00', '995.00'),
    ),
  );
  // The bank has changed the 5.00 to 45.00.
  write(
    'b.csv',
    csv(
      LLOYDS,
      lloyds('05/07/2026', 'Y', '30.00', '919.00'),
      lloyds('30/06/2026', 'COFFEE', '3.00', '949.00'),
    ),
  );
  expect([await push('a.csv'), await push('b.csv', DECIDE)]).toEqual([0, 8]);
  answer('COFFEE', 'send');
  expect(await push('b.csv', DECIDE)).toBe(0);
  expect(await stored()).toEqual(['06-02 -5 A', '06-30 -3 A', '06-30 -3 A', '07-05 -30 A']);
});

test.each([0, 1])(
  'an answer about entry %i of two equal ones holds for the other, if an equal row has it',
  async (index) => {
    const { write, push, answer, reconcile, lines } = await landlord();
    const label = `${DECIDE} --account-label main`;
    write('a.csv', csv(CSV, '20/06/2026,X,-1.00', '01/07/2026,PARKING,-3.00', '01/07/2026,PARKING,-3.00'));
    write('b.csv', csv(CSV, '02/07/2026,PARKING,-3.00', '24/07/2026,X,-1.00'));
    write(
      'c.csv',
      csv(
        CSV,
        '20/06/2026,X,-1.00',
        '01/07/2026,PARKING,-3.00',
        '02/07/2026,PARKING,-3.00',
        '24/07/2026,X,-1.00',
      ),
    );
    expect([await push('a.csv', label), await push('b.csv', label)]).toEqual([0, 8]);
    answer(lines('d.csv')[index]?.slice(-36) ?? '', 'leave');
    answer('PARKING', 'send');
    expect([await push('b.csv', label), await push('c.csv', label), await reconcile('c.csv', label)]).toEqual(
      [0, 0, 0],
    );
  },
);

test('two rows of one id are stored, or named as not stored: a split row too', async () => {
  const { write, push, stored } = await landlord();
  write(
    'rules.txt',
    '"AVIVA" -> split: House A / other 60 % of payment, House B / rest other\notherwise -> House A\n',
  );
  write('one.csv', csv(NUMBERED, '16/03/2025,HUNTERS,-9.00,1004'));
  write('two.csv', csv(NUMBERED, '13/04/2025,BOILER,-120.00,1004', '14/04/2025,PARK,-3.00,1002'));
  write('three.csv', csv(NUMBERED, '15/04/2025,AVIVA,-100.00,1004', '17/04/2025,ROOF,-7.00,1005'));
  const rules = '--rules rules.txt';
  expect([await push('one.csv', rules), await push('two.csv three.csv', rules)]).toEqual([0, 9]);
  expect(await stored()).toEqual(['03-16 -9 A', '04-14 -3 A', '04-15 -40 B', '04-15 -60 A', '04-17 -7 A']);
});

describe('with --skip-invalid', () => {
  const june = csv(LLOYDS, lloyds('02/06/2026', 'C', '5.00', '90.00'));
  const may = csv(
    LLOYDS,
    lloyds('31/05/2026', 'B', '2.00', '95.00'),
    lloyds('30/05/2026', 'A', '3.00', '97.00'),
  );

  test('rows that no rule decides are written for --decide, and leave no closing balance to go on from', async () => {
    const { write, ledger, push, lines, stored } = await landlord();
    const preview = async () => {
      const { out, err } = await ledger('push june.csv --dry-run -s House_A');
      return out + err;
    };
    write('may.csv', may);
    write('june.csv', june);
    write('r.txt', 'otherwise -> ask\n');
    expect(await push('may.csv', '--rules r.txt --skip-invalid --decide d.csv')).toBe(0);
    expect([lines('d.csv').length, await stored()]).toEqual([2, []]);
    expect(await preview()).not.toContain('goes on from');
    expect(await push('may.csv')).toBe(0);
    expect(await preview()).toContain('It goes on from');
  });
});
