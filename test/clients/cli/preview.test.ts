/** The preview of `ledger push`: one screen with all that a person has to look at, and the rest with --verbose. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directory, statementOf as file, landlord, ROWS, writeFile } from './command.ts';

setDefaultTimeout(60_000);

test('the preview shows sources, the rows of each rule, and with --verbose each row; the report has the rule of each row', async () => {
  const { run, rules } = await landlord();
  const statement = file('plan-shown.csv', ...ROWS);
  const preview = (...more: string[]) => run('push', statement, '--rules', rules, '--dry-run', ...more);
  const { err } = await preview();
  for (const line of [
    `Rules    ${rules} (5 rules)`,
    '      1  description contains "MILL LANE" -> uk-property / periodAmount',
    '      1  description is "TRANSFER" -> leave out  (left out: expense 500.00)',
    '   none  description contains "CLIENT" -> self-employment / turnover',
    'uk-property  expense  professionalFees        1    114.00    1      114.00',
    'New in uk-property: 3 entries from 2026-10-01 to 2026-10-02, income 1,850.00 (2)',
  ])
    expect(err).toContain(`\n${line}`);
  const [row, part] = [
    '\n         row 4: 2026-10-03 500.00 TRANSFER\n',
    '\n3#1  uk-property  2026-10-02  expense  114.00',
  ];
  expect([err.includes(row), err.includes(part), err.includes('otherwise')]).toEqual([false, false, false]);
  const whole = (await preview('--verbose')).err;
  expect([whole.includes(row), whole.includes(part)]).toEqual([true, true]);
  const report = join(directory, 'plan-report.csv');
  await run('push', statement, '--rules', rules, '--yes', '--report', report);
  const cells = readFileSync(report, 'utf8')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
    .map(([row, status, , , detail, part, source, rule]) =>
      [row, status, detail, part, source, rule].join(' '),
    );
  expect(cells.slice(1)).toEqual([
    '2 created   uk-property 2',
    '3 created  1 uk-property 3',
    '3 created  2 uk-property 3',
    '4 left out Line 5 of the rules leaves it out.   5',
  ]);
});

test('a preview fits a screen: equal problems are there once, and nothing that a person has to look at is missing', async () => {
  const { run } = await landlord();
  const many = <Item>(count: number, each: (n: number) => Item) =>
    Array.from({ length: count }, (_, n) => each(n));
  const day = (n: number) => `2026-10-${String((n % 28) + 1).padStart(2, '0')}`;
  const rows = [
    ...many(300, (n) => `${day(n)},PAYEE ${n % 30},${(n % 7) - 10}.50`),
    ...many(40, (n) => `${day(n)},BAD ${n},1.234`),
    '0026-10-01,OLD,5',
    '2026-10-30,REFUND BOILER,40',
    '2026-10-30,ODD,x',
  ];
  const rules = [
    'description contains "PAYEE" -> uk-property / other',
    'description is "PAYEE 7" -> uk-property / travelCosts',
    'description is "REFUND BOILER" -> uk-property / refund of repairsAndMaintenance',
    ...many(30, (n) => `description is "NOBODY ${n}" -> self-employment`),
    '"OLD" -> uk-property',
  ];
  const args = ['--rules', writeFile('screen.txt', rules.join('\n')), '--skip-invalid', '--dry-run'];
  const { err } = await run('push', file('screen.csv', ...rows), ...args);
  expect(err.split('\n').length).toBeLessThan(35);
  for (const line of [
    '41 problems:\n  rows 302 "1.234", 303 "1.234", 304 "1.234", 305 "1.234", 306 "1.234" and 35 more: Amount: ',
    '  row 344 "x": Amount: ',
    'Look at these:\n  row 342: The date 0026-10-01 is before 2000.',
    '    300  description contains "PAYEE" -> uk-property / other\n',
    '   none  description is "PAYEE 7" -> uk-property / travelCosts  (its 10 rows go to an earlier rule: description contains "PAYEE" -> uk-property / other)\n',
    '… and 28 more that match no row: --verbose has all',
    'Refund   REFUND BOILER, uk-property: 40.00, set against repairsAndMaintenance\n',
    '302 entries: 302 new, 0 in the books.',
    'Look at row 342, date "0026-10-01": The date 0026-10-01 is before 2000.',
  ])
    expect(err).toContain(line);
  const whole = await run('push', file('screen.csv', ...rows), ...args, '--verbose');
  expect(whole.err).toContain('306 "1.234", 307 "1.234", 308 "1.234"');
  expect(whole.err).toContain('   none  description is "NOBODY 29" -> self-employment\n');
});
