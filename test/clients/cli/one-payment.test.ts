/**
 * A statement accounts for every entry of its account and days, and a push never ends well without an entry for each row: the histories in
 * which a bank, another computer or an answer once made two entries of one payment, or none of two.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { admin } from '../../fixtures/system.ts';
import { CSV, csv, LLOYDS, landlord, lloyds, NUMBERED, ofx } from './landlord.ts';

setDefaultTimeout(60_000);

test('a row that is a stored entry by an answer is known, in the lines as in the document', async () => {
  const { write, push, ledger } = await landlord();
  write('june.csv', csv(NUMBERED, '13/06/2026,RENT,950.00,1'));
  write('again.csv', csv(NUMBERED, '14/06/2026,RENT,950.00,2', '20/06/2026,SHOP,-7.00,3'));
  expect(await push('june.csv')).toBe(0);
  const again = 'push again.csv -s House_A --leave-probable --dry-run';
  expect((await ledger(again)).err).toContain('\n2 entries: 1 new, 1 in the books.\n');
  expect((await ledger(`${again} --json`)).json()).toMatchObject({ new: 1, known: 1, elsewhere: 0 });
  const pushed = await ledger('push again.csv -s House_A --leave-probable --yes');
  expect(pushed).toMatchObject({
    exitCode: 0,
    out: expect.not.stringContaining('probably known or corrected'),
  });
});

describe('ids that a bank uses again', () => {
  test('for other payments are no proof: the rows are not stored, and each is told with the entry and its day', async () => {
    const { write, push, ledger, stored } = await landlord();
    write('june.csv', csv(NUMBERED, '13/06/2026,RENT,950.00,1', '14/06/2026,SHOP,-7.00,2'));
    write('july.csv', csv(NUMBERED, '13/07/2026,PLUMBER,-120.00,1', '20/07/2026,ROOF,-700.00,3'));
    expect(await push('june.csv')).toBe(0);
    const { exitCode, out } = await ledger('push july.csv -s House_A --yes');
    expect([exitCode, out]).toEqual([
      9,
      expect.stringMatching(/row 2 of .*july\.csv: .* of 2026-06-13: 950\.00, RENT, in House A/),
    ]);
    expect(await stored()).toEqual(['06-13 950 A', '06-14 -7 A', '07-20 -700 A']);
    const { json } = await ledger('push july.csv -s House_A --yes --json --report report.csv');
    expect(json()).toMatchObject({ remaining: 0, taken: [{ row: 2, externalRef: '1', date: '2026-06-13' }] });
  });

  test('within the days of a file name no change of the other entry', async () => {
    const { write, push, reconcile, lines, ledger } = await landlord();
    write('a.ofx', ofx('20260602,RENT,950.00,1', '20260613,BOILERCO,-120.00,2'));
    write('b.ofx', ofx('20260605,SHOP,-7.00,1', '20260613,BOILERCO,-120.00,2'));
    expect([await push('a.ofx'), await push('b.ofx'), await reconcile('b.ofx'), lines('list.csv')]).toEqual([
      0,
      9,
      6,
      [],
    ]);
    expect((await ledger('push b.ofx -s House_A --dry-run')).err).toContain(
      '\n2 entries: 0 new, 1 in the books, 1 with the reference of another entry.\n',
    );
  });

  test('in two files of a run name two payments', async () => {
    const { write, push, reconcile, stored } = await landlord();
    write('a.ofx', ofx('20260602,RENT,950.00,1001'));
    write('b.ofx', ofx('20260702,RENT,950.00,1001'));
    expect([await push('a.ofx b.ofx'), await push('b.ofx'), await reconcile('a.ofx b.ofx')]).toEqual([
      0, 0, 0,
    ]);
    expect(await stored()).toEqual(['06-02 950 A', '07-02 950 A']);
  });

  test.each([
    ['june.csv', 'july.csv'],
    ['june.csv july.csv', 'july.csv'],
  ])('pair no row while an equal record is there: %s', async (first, second) => {
    const { write, push, reconcile, answer, stored, lines } = await landlord();
    write(
      'june.csv',
      csv(NUMBERED, '06/06/2026,COFFEE,-2.00,1', '25/06/2026,PARKING,-3.00,2', '28/06/2026,PARKING,-3.00,3'),
    );
    write(
      'july.csv',
      csv(NUMBERED, '06/06/2026,COFFEE,-2.00,1', '25/06/2026,PARKING,-3.00,3', '28/06/2026,PARKING,-3.00,4'),
    );
    const isRun = first !== 'june.csv';
    expect(await push(first, '-s House_A --decide d.csv')).toBe(isRun ? 8 : 0);
    if (!isRun) expect(await push(second, '-s House_A --decide d.csv')).toBe(8);
    expect(lines('d.csv').map((line) => line.replaceAll("'", '').split(',').slice(2, 8))).toEqual([
      ['3', '2026-06-25', '-3.00', 'PARKING', '2026-06-25', '-3.00'],
      ['4', '2026-06-28', '-3.00', 'PARKING', '2026-06-28', '-3.00'],
    ]);
    answer('PARKING', 'leave');
    expect([await push(first, '-s House_A --decide d.csv'), await stored()]).toEqual([
      0,
      ['06-06 -2 A', '06-25 -3 A', '06-28 -3 A'],
    ]);
    expect([await reconcile(second, '-s House_A --decide d.csv'), lines('list.csv')]).toEqual([0, []]);
  });

  test('leave two equal rows a reference each', async () => {
    const { write, push, stored } = await landlord();
    write('a.ofx', ofx('20260313,RENT,950.00,1001', '20260324,BOILERCO,-120.00,1002'));
    write(
      'b.ofx',
      ofx('20260407,PARKING,-3.00,1001', '20260407,PARKING,-3.00,1002', '20260427,COFFEE,-2.00,1003'),
    );
    expect(await push('a.ofx b.ofx')).toBe(0);
    expect(await stored()).toEqual(['03-13 950 A', '03-24 -120 A', '04-07 -3 A', '04-07 -3 A', '04-27 -2 A']);
    expect([await push('a.ofx b.ofx'), (await stored()).length]).toEqual([0, 5]);
  });

  test('of OFX prove the account, and not that one rent is the other', async () => {
    const { write, push, reconcile, lines } = await landlord();
    write('a.ofx', ofx('20260610,RENT A,950.00,1', '20260611,RENT B,950.00,2', '20260620,SHOP,-7.00,3'));
    write('b.ofx', ofx('20260610,RENT A,950.00,0', '20260611,RENT B,950.00,1', '20260620,SHOP,-7.00,3'));
    expect([
      await push('a.ofx'),
      await push('b.ofx'),
      await push('b.ofx', '-s House_A --leave-probable'),
    ]).toEqual([0, 8, 0]);
    expect([await reconcile('b.ofx', '-s House_A --leave-probable'), lines('list.csv')]).toEqual([0, []]);
  });

  test('pair no new row with the entry of an equal row', async () => {
    const { write, push, stored } = await landlord();
    write('a.ofx', ofx('20260610,RENT A,950.00,1', '20260620,SHOP,-7.00,3'));
    write('b.ofx', ofx('20260610,RENT A,950.00,2', '20260611,RENT B,950.00,1', '20260620,SHOP,-7.00,3'));
    expect([await push('a.ofx'), await push('b.ofx')]).toEqual([0, 8]);
    expect(await push('b.ofx', '-s House_A --leave-probable')).toBe(9);
    expect(await stored()).toEqual(['06-10 950 A', '06-20 -7 A']);
  });

  test('take no entry for a row that a rule leaves out', async () => {
    const { write, push, reconcile, stored, lines } = await landlord();
    write('rules.txt', '"SAVINGS" -> leave out\notherwise -> House A\n');
    write('one.csv', csv(NUMBERED, '20/07/2026,SAVINGS,-500.00,1', '24/07/2026,COFFEE,-3.00,2'));
    write(
      'two.csv',
      csv(
        NUMBERED,
        '10/07/2026,BOILER,-120.00,1',
        '20/07/2026,SAVINGS,-500.00,2',
        '24/07/2026,COFFEE,-3.00,3',
      ),
    );
    const rules = '--rules rules.txt';
    expect([await push('one.csv', rules), await push('two.csv', rules)]).toEqual([0, 8]);
    expect(await push('two.csv', `${rules} --leave-probable`)).toBe(0);
    expect(await stored()).toEqual(['07-10 -120 A', '07-24 -3 A']);
    expect([await reconcile('two.csv', `${rules} --leave-probable`), lines('list.csv')]).toEqual([0, []]);
  });

  test('take no answer that was given for another row', async () => {
    const { write, push, reconcile, answer, lines, stored } = await landlord();
    const decide = '-s House_A --decide d.csv';
    write('one.csv', csv(NUMBERED, '10/07/2026,REFUND,120.00,7', '20/07/2026,SHOP,-7.00,9'));
    write('two.csv', csv(NUMBERED, '11/07/2026,REFUND,120.00,1', '20/07/2026,SHOP,-7.00,9'));
    write(
      'three.csv',
      csv(NUMBERED, '09/07/2026,COFFEE,-3.00,1', '20/07/2026,SHOP,-7.00,9', '11/07/2026,REFUND,120.00,2'),
    );
    expect([await push('one.csv', decide), await push('two.csv', decide)]).toEqual([0, 8]);
    answer('REFUND', 'leave');
    expect(await push('two.csv', decide)).toBe(0);
    expect(await push('three.csv', decide)).toBe(8);
    expect(lines('d.csv')).toHaveLength(2);
    answer('REFUND', 'leave');
    expect(await push('three.csv', decide)).toBe(0);
    expect([await reconcile('three.csv', decide), lines('list.csv')]).toEqual([0, []]);
    expect(await stored()).toEqual(['07-09 -3 A', '07-10 120 A', '07-20 -7 A']);
  });

  test('and derived references may belong to a property that was removed', async () => {
    const { write, push, ledger, houses } = await landlord();
    write('a.csv', csv(CSV, '20/06/2026,AVIVA,-100.00', '21/06/2026,X,-1.00'));
    expect(await push('a.csv')).toBe(0);
    await admin.removeSource({ id: houses['House A'] });
    const { exitCode, out } = await ledger('push a.csv -s House_B --yes');
    expect([exitCode, out]).toEqual([9, expect.stringContaining('which is in no source of this account')]);
  });
});

describe('files of one run', () => {
  test.each([
    ['in two formats', csv(CSV, '13/06/2026,BOILERCO,-120.00'), ofx('20260613,BOILERCO,-120.00,F2'), 'b.ofx'],
    ['in other letters', csv(CSV, '13/06/2026,Rent,950.00'), csv(CSV, '13/06/2026,RENT,950.00'), 'b.csv'],
    [
      'with a payment that is booked a day later',
      csv(LLOYDS, lloyds('30/06/2026', 'BOILERCO', '120.00', '880.00')),
      csv(LLOYDS, lloyds('01/07/2026', 'BOILERCO', '120.00', '880.00')),
      'b.csv',
    ],
  ])('%s are asked about, as files of two runs are', async (_, first, second, name) => {
    const { write, push, stored, reconcile } = await landlord();
    write('a.csv', first);
    write(name, second);
    const files = `a.csv ${name}`;
    expect([await push(files), await stored()]).toEqual([8, []]);
    expect(await push(files, '-s House_A --leave-probable')).toBe(0);
    expect(await stored()).toHaveLength(1);
    // The balances of two files with a payment on two days do not follow.
    const isMoved = first.startsWith(LLOYDS);
    expect(await reconcile(files, '-s House_A --leave-probable')).toBe(isMoved ? 6 : 0);
  });
});

describe('a question', () => {
  test('is about all rows that may be an entry: a true answer to one leaves the others asked', async () => {
    const { write, push, reconcile, answer, lines, stored } = await landlord();
    write('a.csv', csv(CSV, '13/06/2026,RENT,950.00', '16/06/2026,PARKING,-3.00'));
    write(
      'b.csv',
      csv(CSV, '13/06/2026,RENT,950.00', '16/06/2026,PARKING,-1.75', '18/06/2026,PARKING,-3.00'),
    );
    const decide = '-s House_A --decide d.csv';
    expect([await push('a.csv'), await push('b.csv', decide)]).toEqual([0, 8]);
    expect(lines('d.csv')).toHaveLength(2);
    answer('2026-06-18', 'send');
    expect(await push('b.csv', decide)).toBe(8);
    answer('PARKING', 'leave');
    expect([await push('b.csv', decide), await reconcile('b.csv', decide)]).toEqual([5, 6]);
    expect(await stored()).toEqual(['06-13 950 A', '06-16 -3 A', '06-18 -3 A']);
    expect(lines('list.csv')).toEqual([
      expect.stringMatching(/^change,House A,2026-06-16,PARKING,amount 3.00,amount 1.75,/),
    ]);
  });

  test('of two rows for one entry is not answered by default', async () => {
    const { write, push, stored } = await landlord();
    write('a.csv', csv(CSV, '16/06/2026,PARKING,-3.00'));
    write('b.csv', csv(CSV, '16/06/2026,PARKING CARD,-3.00', '18/06/2026,PARKING,-3.00'));
    expect([await push('a.csv'), await push('b.csv', '-s House_A --leave-probable')]).toEqual([0, 8]);
    expect(await stored()).toHaveLength(1);
  });
});

describe('a payment that the bank moves', () => {
  test.each([
    [
      'over the edge of the file',
      ['30/06/2026,BOILERCO,-120.00'],
      ['01/07/2026,BOILERCO,-120.00', '20/07/2026,A,-31.00'],
    ],
    [
      'to the first day',
      ['16/06/2026,BOILERCO,-120.00', '20/06/2026,RENT,950.00'],
      ['18/06/2026,BOILERCO,-120.00', '20/06/2026,RENT,950.00'],
    ],
    [
      'by four days over Easter',
      ['02/04/2026,A,1.00', '30/04/2026,Z,2.00', '03/04/2026,BOILERCO,-120.00'],
      ['02/04/2026,A,1.00', '30/04/2026,Z,2.00', '07/04/2026,BOILERCO,-120.00'],
    ],
  ])('%s is asked about', async (_, before, now) => {
    const { write, push, stored } = await landlord();
    write('a.csv', csv(CSV, ...before));
    write('b.csv', csv(CSV, ...now));
    expect([await push('a.csv'), await push('b.csv'), (await stored()).length]).toEqual([
      0,
      8,
      before.length,
    ]);
  });

  test('is asked about although the balance breaks by its amount', async () => {
    const { write, push } = await landlord();
    write('a.csv', csv(LLOYDS, lloyds('30/06/2026', 'BOILERCO', '120.00', '880.00')));
    write(
      'b.csv',
      csv(
        LLOYDS,
        lloyds('05/07/2026', 'AVIVA', '30.00', '850.00'),
        lloyds('01/07/2026', 'BOILERCO', '120.00', '880.00'),
      ),
    );
    expect([await push('a.csv'), await push('b.csv')]).toEqual([0, 8]);
  });

  test('into another tax year is on the list, and the list leads to books that prove', async () => {
    const { write, push, reconcile, lines, answer } = await landlord();
    write('a.csv', csv(CSV, '05/04/2026,RENT,1150.00', '31/03/2026,WATER,-27.45'));
    write('b.csv', csv(CSV, '06/04/2026,RENT,1150.00', '31/03/2026,WATER,-27.45'));
    const decide = '-s House_A --decide d.csv';
    expect([await push('a.csv'), await push('b.csv', decide)]).toEqual([0, 8]);
    answer('RENT', 'leave');
    expect([await push('b.csv', decide), await reconcile('b.csv', decide)]).toEqual([5, 6]);
    expect(lines('list.csv')).toEqual([expect.stringContaining('date 2026-04-05,date 2026-04-06')]);
  });
});
