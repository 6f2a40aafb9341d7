/** What is between rows: a line of text, a sum, a whole beside its parts, a double entry. Names do not count; the person is asked. */
import { describe, expect, test } from 'bun:test';
import type { ImportOptions, Meaning } from '../../../../clients/typescript/import/index.ts';
import { type Answer, answered, asked, withoutDates } from './answered.ts';
import { csv } from './outcome.ts';

const HEADER = 'Date,Description,Amount';
/** `day description amount`. A text without an amount is a line between rows. */
const table = (...rows: string[]) =>
  csv(
    HEADER,
    ...rows.map((row) => {
      const [day = '', text = '', amount] = row.split(' ');
      return amount === undefined ? `${row},,` : `${day}/04/2026,${text},${amount}`;
    }),
  );
/** Of a bank account. */
const map = { amount: 'Amount' };
const read = async (text: string, options: ImportOptions = {}) =>
  withoutDates(await answered(text, [], options)).map((row) => row.replace('invalid rowMeanings', 'asked'));

describe('a line of text between rows', () => {
  const text = table('Deductions', '14 Fee -99.00', '15 Repair -20.00', '16 Rent 900.00');
  test.each<[Answer, string[]]>([
    ['skip', ['2 skipped', '3 skipped', '4 skipped', '5 skipped']],
    ['keep', ['2 skipped', '3 -9900 Fee', '4 -2000 Repair', '5 +90000 Rent']],
    ['out', ['2 skipped', '3 -9900 Fee', '4 -2000 Repair', '5 +90000 Rent']],
    ['in', ['2 skipped', '3 -9900 Fee', '4 -2000 Repair', '5 +90000 Rent']],
  ])('that is answered with %s', async (answer, expected) => {
    expect(await asked(text)).toEqual(['heading  2']);
    expect(withoutDates(await answered(text, [answer]))).toEqual(expected);
  });

  test('gives the direction of unsigned rows, each of those below it', async () => {
    const both = table('Rents', '14 A 900.00', 'Mortgage', '15 B 420.00', '16 C -20.00');
    expect(await asked(both)).toEqual(['heading  2', 'heading  4']);
    expect(await asked(both, { rowMeanings: { 2: 'keep', 4: 'keep' } })).toEqual(['direction Amount']);
    expect(withoutDates(await answered(both, ['in', 'out']))).toEqual([
      ...['2 skipped', '3 +90000 A', '4 skipped', '5 -42000 B', '6 +2000 C'],
    ]);
  });

  test('leaves out what is planned', async () => {
    const planned = table('13 A -5.00', '15 Insurance -120.00', 'Budget', '28 Mortgage -420.00');
    expect(withoutDates(await answered(planned, ['skip']))).toEqual([
      ...['2 -500 A', '3 -12000 Insurance', '4 skipped', '5 skipped'],
    ]);
  });

  test('is asked about only if rows are below it, and if it is no time, total or header', async () => {
    const rows = ['14 Fee -99.00', '15 Repair -20.00'];
    expect(await asked(table(...rows, 'End'))).toEqual([]);
    expect(await asked(table('April', ...rows))).toEqual([]);
    expect(await asked(table('April 2026', ...rows))).toEqual([]);
    expect(await asked(table('Due-in-May-2026', ...rows))).toEqual(['heading  2']);
    expect(await asked(table('Current account', ...rows))).toEqual(['heading  2']);
    expect(await asked(table(...rows, 'Total', '16 Rent 900.00'))).toEqual([]);
    expect(await asked(csv(HEADER) + table(...rows))).toEqual([]);
  });

  test('above the header is asked about if it is a short title with a state', async () => {
    const rows = [HEADER, '13/04/2026,A,-5.00', '14/04/2026,B,-6.00'];
    const of = (title: string, fileName?: string) =>
      asked(csv(...(title ? [title] : []), ...rows), fileName ? { fileName } : {});
    for (const title of ['Unpaid bills', 'May 2026 - unpaid', 'Void'])
      expect(await of(title)).toEqual(['heading  1']);
    expect(await of('', 'Bills due.csv')).toEqual(['heading  0']);
    for (const title of ['My bills', 'Created: by me', 'Payment due 01/05/2026'])
      expect(await of(title)).toEqual([]);
    expect(await of('Pending payments are left out of this list')).toEqual([]);
  });

  test('is asked about beneath the names of amounts alone, as a second header', async () => {
    const rows = ['13/04/2026,a,5.00,', ',,Planned in,Planned out', '14/04/2026,b,,4.00'];
    const text = csv('Date,Details,Paid in,Paid out', ...rows);
    expect(await asked(text)).toEqual(['heading  3']);
    expect(withoutDates(await answered(text, ['skip']))).toEqual(['2 +500 a', '3 skipped', '4 skipped']);
    expect(withoutDates(await answered(text, ['keep']))).toEqual(['2 +500 a', '3 skipped', '4 -400 b']);
    expect(await asked(text.replace('Planned in', '12.00'))).toEqual([]);
    expect(await asked(text.replace(',,Planned in,Planned out', ',late,Planned in,'))).toEqual([]);
  });

  test('is not asked about beside a running balance that follows over all rows', async () => {
    const rows = ['13/04/2026,a,10.00,110.00', 'Deductions,,,', '14/04/2026,b,-4.00,106.00'];
    expect(await asked(csv(`${HEADER},Balance`, ...rows))).toEqual([]);
  });
});

describe('rows that may be other rows again:', () => {
  test.each<[string, string[], number[]]>([
    ['the sum of all before it', ['13 A -60.00', '14 B -12.00', '30 Costs -72.00'], [4]],
    [
      'the sum since the last one',
      ['13 A 900.00', '14 B 800.00', '30 R 1700.00', '13 C -60.00', '14 D -12.00', '30 S -72.00'],
      [4, 7],
    ],
    ['the sum of what came and went', ['15 A 1650.00', '16 B -217.80', '16 B -1.00', '17 Due 1431.20'], [5]],
    ['a whole before its parts', ['13 A -7.00', '14 W -60.00', '14 P -45.00', '14 B -15.00'], [3]],
    ['a whole behind its parts', ['13 A -7.00', '14 P -45.00', '14 B -15.00', '14 W -60.00'], [5]],
    ['the sum of all after it', ['30 Costs -72.00', '14 B -12.00', '13 A -60.00'], [2]],
    [
      'the sum of all after it, up to the next one',
      ['30 April -72.00', '14 B -12.00', '13 A -60.00', '12 March -9.00', '11 C -4.00', '10 D -5.00'],
      [2, 5],
    ],
    [
      'the sum from the beginning, over other sums',
      ['13 A 900.00', '14 B 800.00', '15 R 1700.00', '16 C 1.00', '17 D 2.00', '18 Y 1703.00'],
      [4, 7],
    ],
    [
      'what an agent pays out, after each rent and its fees',
      ['13 A 950.00', '13 F -95.00', '14 Paid -855.00', '20 A 800.00', '20 F -80.00', '22 Paid -720.00'],
      [4, 7],
    ],
    [
      'what an agent pays out, with the latest row first',
      ['14 Paid -855.00', '13 F -95.00', '13 A 950.00'],
      [2],
    ],
    [
      'the sum of what was paid out, among what came in',
      ['13 A 900.00', '14 B -45.00', '15 C 800.00', '16 D -60.00', '30 S -105.00'],
      [6],
    ],
    [
      'rows again, behind rows of other days',
      ['13 A 60.00', '14 B -12.00', '15 C 5.00', '14 B -12.00', '15 C 5.00', '16 D 7.00'],
      [5, 6],
    ],
    ['two sides of one payment', ['13 A -60.00', '13 Bank 60.00', '14 C -7.00', '15 D -8.00'], [2, 3]],
  ])('%s', async (_, rows, found) => {
    const all = await read(table(...rows), { map });
    expect(all.filter((row) => row.includes('asked'))).toEqual(found.map((row) => `${row} asked`));
    const answer = (meaning: Meaning) => ({
      map,
      rowMeanings: Object.fromEntries(found.map((row) => [row, meaning])),
    });
    const skipped = await read(table(...rows), answer('skip'));
    expect(skipped.filter((row) => !/[+-]\d/.test(row))).toEqual(found.map((row) => `${row} skipped`));
    const kept = await read(table(...rows), answer('keep'));
    expect(kept.filter((row) => /[+-]\d/.test(row))).toHaveLength(rows.length);
  });

  test.each<[string, string[]]>([
    ['two equal first rows', ['13 A 900.00', '14 B 900.00', '15 C -1.00', '16 D -2.00', '17 E -4.00']],
    ['a card that is paid in full', ['13 A -60.00', '14 B -12.00', '30 Paid 72.00']],
    [
      'a card that is paid in full, with the latest row first',
      ['30 Paid 72.00', '14 B -12.00', '13 A -60.00'],
    ],
    ['rows again, within their day', ['13 A 60.00', '13 B -12.00', '13 A 60.00', '13 B -12.00', '14 C 5.00']],
    ['one row again, behind a row of another day', ['13 A 60.00', '14 B -12.00', '13 A 60.00', '14 C 5.00']],
    [
      'rows of which most are there again',
      ['13 A 60.00', '14 B -12.00', '13 A 60.00', '14 B -12.00', '13 A 60.00', '14 B -12.00'],
    ],
    ['parts of another day', ['13 A -7.00', '14 W -60.00', '15 P -45.00', '16 B -15.00', '17 C -1.00']],
    ['sides of different days', ['13 A -60.00', '14 Bank 60.00', '15 C -7.00']],
    ['a sum of the rows above the last line', ['13 A -60.00', '14 B -12.00', 'April', '30 C -72.00']],
    [
      'a whole of more than twelve parts',
      ['13 X -1.00', '14 W -13.00', ...Array(13).fill('14 P -1.00'), '15 Y -3.00'],
    ],
  ])('not %s', async (_, rows) => {
    const entries = await read(table(...rows), { map });
    expect(entries.filter((row) => row.includes('asked'))).toEqual([]);
  });

  test('not beside a running balance, in an export of the ledger, or in the file of a bank', async () => {
    const balanced = ['13/04/2026,a,-60.00,40.00', '14/04/2026,b,-12.00,28.00', '15/04/2026,c,-72.00,-44.00'];
    expect((await read(csv(`${HEADER},Balance`, ...balanced))).join()).not.toContain('invalid');
    expect((await read(csv(`${HEADER},Balance`, ...balanced).replace('28.00', '29.00'))).join()).toContain(
      '4 asked',
    );
    const own = ['2026-04-13,expense,60,a', '2026-04-14,expense,12,b', '2026-04-15,expense,72,c'];
    expect((await read(csv('date,type,amountPence,description', ...own))).join()).not.toContain('invalid');
    const bank = ['13/04/2026,a,,FP,-60.00,', '14/04/2026,b,,FP,-12.00,', '15/04/2026,c,,FP,-72.00,'];
    const last = '16/04/2026,d,,FP,-5.00,';
    const header = 'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP)';
    expect((await read(csv(header, ...bank, last))).join()).not.toContain('invalid');
    const paidOut = ['13/04/2026,a,,FP,60.00,', '14/04/2026,b,,FP,12.00,', '15/04/2026,c,,FP,-72.00,'];
    expect((await read(csv(header, ...paidOut))).join()).not.toContain('invalid');
  });

  test('a row again in the file of a bank, and none with another text in a column that is not read', async () => {
    const rows = ['13/04/2026,a,,FP,-60.00,', '14/04/2026,b,,FP,-12.00,'];
    const bank = csv('Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP)', ...rows, ...rows);
    expect((await read(bank)).filter((row) => row.includes('asked'))).toEqual(['4 asked', '5 asked']);
    const rooms = (...flats: number[]) =>
      csv(
        'Date,Description,Flat,Amount',
        ...flats.map((flat, index) => `${13 + (index % 2)}/04/2026,Rent,${flat},${500 + (index % 2)}.00`),
      );
    const spent = { map: { moneyIn: 'Amount' } };
    expect((await read(rooms(1, 1, 2, 2), spent)).join()).not.toContain('invalid');
    expect((await read(rooms(1, 1, 1, 1), spent)).join()).toContain('4 asked');
  });

  test('not what a card brings back before it is spent', async () => {
    const rows = table('13 Paid -83.00', '14 A 75.00', '15 B 8.00');
    expect((await read(rows, { map: { spent: 'Amount' } })).join()).not.toContain('invalid');
    const bank = table('13 Rent 83.00', '14 A -75.00', '15 B -8.00');
    expect((await read(bank, { map })).join()).toContain('4 asked');
  });

  test.each<[string, string[], number[]]>([
    [
      'a row again, with its balance',
      ['13 A 60.00 160.00', '14 B -12.00 148.00', '14 B -12.00 148.00', '15 C 5.00 153.00'],
      [4],
    ],
    [
      'the latest rows, without a balance',
      ['13 A 60.00 160.00', '14 B -12.00 148.00', '15 C -5.00 143.00', '16 D -9.00'],
      [5],
    ],
    [
      'the latest rows at the top, without a balance',
      ['16 D -9.00', '15 C -5.00 143.00', '14 B -12.00 148.00', '13 A 60.00 160.00'],
      [2],
    ],
    [
      'no rows of days with one balance each',
      ['13 A 60.00', '13 B -12.00 148.00', '14 C -5.00', '14 D -9.00 134.00'],
      [],
    ],
    [
      'no payment again, with another balance',
      ['13 A 60.00 160.00', '14 B -12.00 148.00', '14 B -12.00 136.00', '15 C 5.00'],
      [5],
    ],
  ])('beside a balance: %s', async (_, rows, found) => {
    const cells = rows.map((row) => row.split(' '));
    const text = csv(
      `${HEADER},Balance`,
      ...cells.map(([day, ...rest]) => `${day}/04/2026,${rest.join()}${rest.length < 3 ? ',' : ''}`),
    );
    const all = await read(text, { map });
    expect(all.filter((row) => row.includes('asked'))).toEqual(found.map((row) => `${row} asked`));
  });

  test.each([
    [
      'lacks a text that all others have',
      ['13 A  60.00 60.00', '14 B x -12.00 48.00', '15 C y 5.00 53.00'],
      [2],
    ],
    ['is the last one', ['15 C y 5.00 53.00', '14 B x -12.00 48.00', '13 A  60.00 60.00'], [4]],
    ['has what the others have', ['13 A z 60.00 60.00', '14 B x -12.00 48.00', '15 C y 5.00 53.00'], []],
    ['lacks what another one lacks', ['13 A  60.00 60.00', '14 B  -12.00 48.00', '15 C y 5.00 53.00'], []],
  ])('the first payment makes the whole balance, and %s', async (_, rows, found) => {
    const cells = rows.map((row) => `${row.slice(0, 2)}/04/2026${row.slice(2).replaceAll(' ', ',')}`);
    const all = await read(csv('Date,Description,Tenant,Amount,Balance', ...cells), { map });
    expect(all.filter((row) => row.includes('asked'))).toEqual(found.map((row) => `${row} asked`));
  });

  test('of QIF and of OFX; the id of a bank excuses only rows that cancel each other', async () => {
    const amounts = ['-60.00', '-12.00', '-72.00'];
    const qif = `!Type:Bank\n${amounts.map((amount, index) => `D${13 + index}/04/2026\nT${amount}\n^\n`).join('')}`;
    const days = (...texts: string[]) =>
      `!Type:Bank\n${texts.map((text, index) => `D${13 + (index % 2)}/04/2026\nT${text}\n^\n`).join('')}`;
    expect((await read(days('-60.00', '-12.00', '-61.00', '-13.00'))).join()).not.toContain('invalid');
    expect((await read(days('-60.00', '-12.00', '-60.00', '-12.00'))).join()).toContain('8 asked');
    expect(await read(qif)).toEqual(['2 -6000', '5 -1200', '8 asked']);
    expect(await read(qif, { rowMeanings: { 8: 'skip' } })).toEqual(['2 -6000', '5 -1200', '8 skipped']);
    expect(await read(qif, { rowMeanings: { 8: 'keep' } })).toEqual(['2 -6000', '5 -1200', '8 -7200']);
    const ofx = (id: (index: number) => string) =>
      `<OFX><STMTRS><CURDEF>GBP<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${amounts
        .map(
          (amount, index) =>
            `<STMTTRN><TRNTYPE>POS<DTPOSTED>202604${13 + index}<TRNAMT>${amount}${id(index)}</STMTTRN>`,
        )
        .join('')}</BANKTRANLIST></STMTRS></OFX>\n`;
    expect(await read(ofx(() => ''))).toEqual(['1 -6000', '2 -1200', '3 asked']);
    expect(
      await read(
        ofx(() => ''),
        { rowMeanings: { 3: 'keep' } },
      ),
    ).toEqual(['1 -6000', '2 -1200', '3 -7200']);
    expect(await read(ofx((index) => `<FITID>${index}`))).toEqual(['1 -6000', '2 -1200', '3 asked']);
    const transfer = ofx((index) => `<FITID>${index}`).replace('-60.00', '12.00');
    expect((await read(transfer.replace('20260413', '20260414').replace('POS', 'DEP'))).join()).not.toContain(
      '1 invalid',
    );
  });
});
