/** `ledger figures`: of what the service has, for people, for programs and as a workbook. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readXlsx } from '../../../clients/typescript/import/files/xlsx.ts';
import { admin } from '../../fixtures/system.ts';
import { directory, newUser, writeFile } from './command.ts';

/** An account with entries around the first quarter of 2026-27. */
async function books() {
  const user = await newUser();
  const { account } = user;
  const rent = { type: 'income', category: 'periodAmount', date: '2026-04-06' };
  await account.post([
    { ...rent, amountPence: 90_000 },
    { ...rent, amountPence: 90_001, date: '2026-07-06' },
    { ...rent, amountPence: 5, date: '2026-04-05' },
    { type: 'expense', category: 'repairsAndMaintenance', amountPence: 10_000, date: '2026-07-05' },
    { type: 'income', amountPence: 4_000, date: '2026-07-05', description: 'PLUMBER refund' },
    { type: 'income', amountPence: 123, date: '2026-05-01', description: 'Somebody' },
  ]);
  await account.post([{ type: 'income', category: 'seTaxDeducted', amountPence: 700, date: '2026-05-01' }], {
    source: account.sources['self-employment'],
  });
  const rules = writeFile(
    `figures-${account.accountId}.txt`,
    'description contains "PLUMBER" and type is income -> uk-property / refund of repairsAndMaintenance\n',
  );
  const figures = (...args: string[]) => user.run(['figures', '--tax-year', '2026-27', ...args]);
  return { ...user, rules, figures };
}

test('a quarter and the year so far, with the ids of the entries behind each figure and the shape of the summary', async () => {
  const { figures, rules, account } = await books();
  const document = (await figures('--quarter', '2', '--rules', rules, '--json')).json();
  expect(document).toMatchObject({ taxYear: '2026-27', quarters: 'standard', quarter: 2, submitted: false });
  const [quarter, year] = document.periods;
  expect([quarter.from, quarter.to, year.from, year.to]).toEqual([
    '2026-07-06',
    '2026-10-05',
    '2026-04-06',
    '2026-10-05',
  ]);
  const [uk] = year.businesses;
  const shown = uk.lines.map(({ category, pence, refundPence }: Record<string, unknown>) => [
    category,
    pence,
    refundPence,
  ]);
  expect(shown).toEqual([
    ['periodAmount', 180_001, 0],
    ['repairsAndMaintenance', 6_000, 4_000],
  ]);
  expect(uk.withoutCategory).toMatchObject({ count: 1, incomePence: 123, expensePence: 0 });
  expect(uk.summary).toEqual({
    ...{ fromDate: '2026-04-06', toDate: '2026-10-05' },
    ukProperty: { income: { periodAmount: 1800.01 }, expenses: { repairsAndMaintenance: 60 } },
  });
  expect(quarter.businesses[0].lines.map(({ pence }: { pence: number }) => pence)).toEqual([90_001]);
  const stored = await account.entries();
  const ids = stored
    .filter(({ category, date }) => category === 'periodAmount' && date >= '2026-04-06')
    .map(({ id }) => id);
  expect(uk.lines[0].ids.toSorted()).toEqual(ids.toSorted());
});

test('for people: first what is not sorted, then each business by quarters, and that nothing is submitted', async () => {
  const { figures, rules } = await books();
  const { out, exitCode } = await figures('--rules', rules);
  expect(exitCode).toBe(0);
  const lines = out.trim().split('\n');
  expect(lines[0]).toContain('These figures are not final');
  expect(lines[1]).toBe('  uk-property: 1 entry, income 1.23, expense 0.00');
  expect(out).toContain('  quarter 1: 2026-04-06 to 2026-07-05');
  expect(out).toMatch(/income +periodAmount +900\.00 +900\.01 +0\.00 +0\.00 +1,800\.01/);
  expect(out).toMatch(/expense +repairsAndMaintenance +60\.00 +0\.00 +0\.00 +0\.00 +60\.00/);
  expect(out).toContain('Refunds of 40.00 (1 entry) are set against repairsAndMaintenance by the rules.');
  expect(out).toContain('seTaxDeducted has no field in the summary');
  expect(lines.at(-1)).toContain('Nothing is submitted.');
});

test('calendar quarters begin on the 1st of April, and without rules a refund has no category', async () => {
  const { figures } = await books();
  const { periods } = (await figures('--quarter', '1', '--calendar-quarters', '--json')).json();
  expect([periods[0].from, periods[0].to]).toEqual(['2026-04-01', '2026-06-30']);
  const [uk] = periods[0].businesses;
  expect(uk.lines).toEqual([expect.objectContaining({ category: 'periodAmount', pence: 90_005 })]);
  expect(uk.withoutCategory.count).toBe(1);
});

test('a workbook has the figures and the entries', async () => {
  const { figures, account } = await books();
  await account.post([{ type: 'expense', amountPence: 250, date: '2026-04-06', description: '=1+1' }]);
  const file = join(directory, 'figures.xlsx');
  expect((await figures('--xlsx', file)).exitCode).toBe(0);
  const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
  const { rows } = await readXlsx(bytes, undefined, '.', () => true);
  expect(rows[0]?.cells.slice(0, 8)).toEqual([
    ...['period', 'from', 'to', 'property or business', 'type', 'category', 'HMRC field', 'amount'],
  ]);
  expect(rows[1]?.cells).toEqual([
    ...['quarter 1', '2026-04-06', '2026-07-05', 'uk-property', 'income', 'periodAmount'],
    ...['periodAmount', '900.00', '900.00', '0.00', '1'],
  ]);
  const unsorted = rows.map(({ cells }) => cells).filter((cells) => cells[5] === 'without a category');
  expect(unsorted.filter(([period]) => period === 'the year').map((cells) => cells.slice(3))).toEqual([
    ['uk-property', 'income', 'without a category', '', '41.23', '', '', '2'],
    ['uk-property', 'expense', 'without a category', '', '2.50', '', '', '1'],
  ]);
  // No spreadsheet executes the text.
  expect(rows.flatMap(({ cells }) => cells).filter((cell) => cell.includes('=1+1'))).toEqual(["'=1+1"]);
});

test('one source alone has its own figures, and businesses of one name stay apart', async () => {
  const { account, figures } = await books();
  const { accountId } = account;
  const business = { accountId, role: 'owner', sharePercent: 100, type: 'self-employment', name: 'Shop' };
  const shops = [await admin.createSource(business), await admin.createSource(business)];
  for (const [index, { id }] of shops.entries()) {
    const sales = {
      type: 'income',
      category: 'turnover',
      date: '2026-05-01',
      amountPence: 1_111 * (index + 1),
    };
    expect((await account.post([sales], { source: id })).status).toBe(201);
  }
  const all = (await figures('--quarter', '1')).out;
  expect(all).toMatch(/Shop\n.*\n.*\n.*\n?income +turnover +11\.11 +11\.11/);
  expect(all).toMatch(/Shop\n.*\n.*\n.*\n?income +turnover +22\.22 +22\.22/);
  const one = (await figures('--quarter', '1', '--source', shops[1]?.id ?? '', '--json')).json();
  expect(one.periods[0].businesses).toEqual([expect.objectContaining({ name: 'Shop' })]);
  expect(one.periods[0].businesses[0].lines[0].pence).toBe(2_222);
});

test('a share is shown beside the whole, and the summary has both', async () => {
  const { account, figures } = await books();
  const joint = { accountId: account.accountId, role: 'owner', type: 'uk-property', name: 'Joint' };
  const { id } = await admin.createSource({ ...joint, sharePercent: 50 });
  const rent = { type: 'income', category: 'periodAmount', date: '2026-05-01', amountPence: 101 };
  expect((await account.post([rent], { source: id })).status).toBe(201);
  const { out } = await figures('--quarter', '1', '-s', 'Joint');
  expect(out).toMatch(/income +periodAmount +1\.01 +1\.01 +0\.51 +0\.51/);
  expect(out).toContain('Your share: Joint 50 %. If entries are of the whole property,');
  const { periods } = (await figures('--quarter', '1', '-s', 'Joint', '--json')).json();
  const [{ summary, summaryOfShare }] = periods[1].businesses;
  expect([summary, summaryOfShare].map(({ ukProperty }) => ukProperty.income.periodAmount)).toEqual([
    1.01, 0.51,
  ]);
});

describe('a wrong option is told:', () => {
  test.each([
    [['--tax-year', '2026'], '--tax-year takes a tax year such as 2026-27.'],
    [['--tax-year', '2026-28'], '--tax-year takes a tax year such as 2026-27.'],
    [['--quarter', '5'], '--quarter takes 1, 2, 3 or 4.'],
  ])('%p', async (args, message) => {
    const { run } = await newUser();
    const { exitCode, err } = await run(['figures', ...args]);
    expect([exitCode, err]).toEqual([2, `error: ${message}\n`]);
  });
});
