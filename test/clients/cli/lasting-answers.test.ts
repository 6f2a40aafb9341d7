/** What has been decided holds when the app, the rules or another file change after it. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { sql } from '../../fixtures/system.ts';
import { CSV, csv, LLOYDS, landlord, lloyds, NUMBERED } from './landlord.ts';

setDefaultTimeout(60_000);

const JOINT = '-s House_A --account-label Joint --decide d.csv';

test('a split row whose first part was edited in the app stays the same payment: one correction, and no question', async () => {
  const { write, houses, push, reconcile, lines, stored } = await landlord();
  const split = 'split: House A / premisesRunningCosts 60 % of payment, House B / rest premisesRunningCosts';
  write('rules.txt', `description contains "AVIVA" -> ${split}\n`);
  write('a.csv', csv(NUMBERED, '18/01/2026,AVIVA INSURANCE DD,-104.07,TX1'));
  const rules = '--rules rules.txt --account-label Joint';
  expect(await push('a.csv', rules)).toBe(0);
  await sql`update ledger.entry set description = 'AVIVA policy 7' where source_id = ${houses['House A']}`;
  expect([await push('a.csv', rules), await stored()]).toEqual([5, ['01-18 -41.63 B', '01-18 -62.44 A']]);
  expect(await reconcile('a.csv', rules)).toBe(6);
  expect(lines('list.csv')).toEqual([expect.stringMatching(/^change,House A,.*AVIVA policy 7/)]);
});

test('rows joined with entries under ids: the file claims the other entries under ids too', async () => {
  const { write, push, reconcile, lines, answer } = await landlord();
  const [rent, screws] = ['02/01/2026,J OKAFOR RENT,950.00', '20/01/2026,SCREWFIX,-31.19'];
  write('a.csv', csv(NUMBERED, `${rent},T1`, '06/01/2026,HOTEL HOLD,-80.00,T2', `${screws},T3`));
  write('b.csv', csv(CSV, rent, screws));
  expect([await push('a.csv', JOINT), await push('b.csv', JOINT)]).toEqual([0, 8]);
  answer('', 'leave');
  expect(await push('b.csv', JOINT)).toBe(0);
  expect(await reconcile('b.csv', JOINT)).toBe(6);
  expect(lines('list.csv').join()).toContain('HOTEL HOLD');
});

test('of equal payments, the answer about one counts for any: two new files with other texts and ids store nothing', async () => {
  const { write, push, answer, stored } = await landlord();
  const [changed, equal] = ['15/02/2026,NCP PARKING REF 42,-3.00', '15/02/2026,NCP PARKING,-3.00'];
  write('a.csv', csv(CSV, equal, equal));
  write('b.csv', csv(CSV, changed, equal));
  write('c.csv', csv(NUMBERED, `${changed},TX1`, `${equal},TX2`));
  expect([await push('a.csv', JOINT), await push('b.csv c.csv', JOINT)]).toEqual([0, 8]);
  answer('', 'leave');
  expect([await push('b.csv c.csv', JOINT), await stored()]).toEqual([0, ['02-15 -3 A', '02-15 -3 A']]);
});

test('a row that is two entries: the one without a row of a file is the second record', async () => {
  const { write, houses, push, reconcile, lines, answer } = await landlord();
  write('own.csv', csv(CSV, '04/04/2026,wood from Wickes,-69.26', '20/04/2026,stamps,-5.55'));
  write(
    'bank.csv',
    [
      LLOYDS,
      lloyds('01/04/2026', 'PLUMBER', '50.00', '5950.00'),
      lloyds('04/04/2026', 'WICKES LEEDS', '69.26', '5880.74'),
      lloyds('28/04/2026', 'ROOF', '10.00', '5870.74'),
      '',
    ].join('\n'),
  );
  const decide = '-s House_A --decide d.csv';
  expect(await push('own.csv', decide)).toBe(0);
  await sql`
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, description)
    select account_id, ${Bun.randomUUIDv7()}, source_id, '2026-04-02', 6926, 'expense', 'wood from Wickes'
      from ledger.source where source_id = ${houses['House A']}`;
  expect(await push('bank.csv', decide)).toBe(8);
  answer('WICKES', 'leave');
  expect([await push('bank.csv', decide), await reconcile('bank.csv own.csv', decide)]).toEqual([0, 6]);
  expect(lines('list.csv')).toEqual([expect.stringMatching(/^remove,House A,2026-04-02,/)]);
});

test('a row that was answered, and that a rule leaves out later, is named with its entry', async () => {
  const { write, houses, push, reconcile, answer } = await landlord();
  await sql`
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, description)
    select account_id, ${Bun.randomUUIDv7()}, source_id, '2026-01-16', 64000, 'income', 'rent Patel'
      from ledger.source where source_id = ${houses['House A']}`;
  write('a.csv', csv(CSV, '16/01/2026,M PATEL,640.00', '22/01/2026,J OKAFOR RENT,950.00'));
  write('rules.txt', 'otherwise -> House A\n');
  const rules = '--rules rules.txt --decide d.csv';
  expect(await push('a.csv', rules)).toBe(8);
  answer('PATEL', 'leave');
  expect(await push('a.csv', rules)).toBe(0);
  write('rules.txt', 'description contains "PATEL" -> leave out\notherwise -> House A\n');
  expect(await reconcile('a.csv', rules)).toBe(6);
});
