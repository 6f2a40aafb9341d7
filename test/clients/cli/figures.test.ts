/** `ledger figures`: of what the service has, for people, for programs and as a workbook. */
import { expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { join } from 'node:path';
import { unzip } from '../../../clients/typescript/import/files/unzip.ts';
import { readXlsx } from '../../../clients/typescript/import/files/xlsx.ts';
import { admin } from '../../fixtures/system.ts';
import { directory, newUser, writeFile } from './command.ts';

setDefaultTimeout(60_000);

// Entries around the first quarter of 2026-27.
const { account, run } = await newUser();
const rent = { type: 'income', category: 'periodAmount', date: '2026-04-06' };
await account.post([
  { ...rent, amountPence: 90_000 },
  { ...rent, amountPence: 90_001, date: '2026-07-06' },
  { ...rent, amountPence: 5, date: '2026-04-05' },
  { type: 'expense', category: 'repairsAndMaintenance', amountPence: 10_000, date: '2026-07-05' },
  { type: 'income', amountPence: 4_000, date: '2026-07-05', description: 'PLUMBER refund' },
  { type: 'income', amountPence: 123, date: '2026-05-01', description: '=1+1' },
]);
await account.post([{ type: 'income', category: 'seTaxDeducted', amountPence: 700, date: '2026-05-01' }], {
  source: account.sources['self-employment'],
});
const REFUND =
  'description contains "PLUMBER" and type is income -> uk-property / refund of repairsAndMaintenance\n';
const rules = writeFile('figures.txt', REFUND);
const figures = (...args: string[]) => run(['figures', '--tax-year', '2026-27', ...args]);

test('a quarter and the year so far, with the ids of the entries behind each figure and the shape of the summary', async () => {
  const document = (await figures('--quarter', '2', '--rules', rules, '--json')).json();
  expect(document).toMatchObject({ taxYear: '2026-27', quarters: 'standard', quarter: 2, submitted: false });
  expect(document.periods).toMatchObject([
    { from: '2026-07-06', to: '2026-10-05' },
    { from: '2026-04-06', to: '2026-10-05' },
  ]);
  expect(document.periods[0].businesses[0].lines).toMatchObject([{ pence: 90_001 }]);
  const [uk] = document.periods[1].businesses;
  expect(uk).toMatchObject({
    lines: [
      { category: 'periodAmount', pence: 180_001, refundPence: 0 },
      { category: 'repairsAndMaintenance', pence: 6_000, refundPence: 4_000 },
    ],
    withoutCategory: { count: 1, incomePence: 123, expensePence: 0 },
    summary: {
      fromDate: '2026-04-06',
      toDate: '2026-10-05',
      ukProperty: { income: { periodAmount: 1800.01 }, expenses: { repairsAndMaintenance: 60 } },
    },
  });
  const isRent = ({ category, date }: { category: string | null; date: string }) =>
    category === 'periodAmount' && date >= '2026-04-06';
  const ids = (await account.entries()).filter(isRent).map(({ id }) => id);
  expect(uk.lines[0].ids.toSorted()).toEqual(ids.toSorted());
});

test('calendar quarters begin on the 1st of April, but in their first year: asked when an entry would move', async () => {
  const calendar = ['--quarter', '1', '--calendar-quarters', '--json'];
  const asked = await figures(...calendar);
  expect([asked.exitCode, asked.err]).toEqual([2, expect.stringContaining('--last-year calendar or')]);
  for (const [lastYear, from] of [
    ['calendar', '2026-04-01'],
    ['standard', '2026-04-06'],
  ] as const) {
    const { periods } = (await figures(...calendar, '--last-year', lastYear)).json();
    expect(periods[0]).toMatchObject({ from, to: '2026-06-30' });
  }
});

// The clock is of all tests.
test.serial('today is the day in the United Kingdom', async () => {
  setSystemTime(new Date('2027-04-05T23:30:00Z'));
  const document = await run(['figures', '--json']).finally(() => setSystemTime());
  expect(document.json()).toMatchObject({ taxYear: '2027-28', updates: [{ state: 'open' }, {}, {}, {}] });
});

test('for people: first what is not sorted, then each business by quarters, and that nothing is submitted', async () => {
  const { out, exitCode } = await figures('--rules', rules);
  expect(exitCode).toBe(0);
  const lines = out.trim().split('\n');
  expect(lines[0]).toContain('These figures are not final');
  expect(lines[1]).toBe('  uk-property: 1 entry, income 1.23, expense 0.00');
  expect(out).toContain('  quarter 1: 2026-04-06 to 2026-07-05');
  expect(out).toMatch(/income +Rent received +periodAmount +900\.00 +900\.01 +0\.00 +0\.00 +1,800\.01/);
  expect(out).toMatch(
    /expense +Repairs and maintenance +repairsAndMaintenance +60\.00 +0\.00 +0\.00 +0\.00 +60\.00/,
  );
  expect(out).toMatch(/total +Total expenses +60\.00 +0\.00 +0\.00 +0\.00 +60\.00/);
  expect(out).toMatch(/total +Profit before tax adjustments +840\.00 +900\.01 +0\.00 +0\.00 +1,740\.01/);
  expect(out).toContain('Refunds of 40.00 (1 entry) are set against Repairs and maintenance by the rules.');
  expect(out).toContain('Tax withheld from pay, CIS has no field in the summary');
  expect(out).toMatch(/update 1 covers 2026-04-06 to 2026-07-05, deadline 2026-08-07: /);
  expect(lines.at(-1)).toContain('Nothing is submitted.');
  const refund = 'description contains "PLUMBER" -> uk-property / refund of residentialFinancialCost\n';
  const refused = await figures('--rules', writeFile('refused.txt', refund));
  expect(refused.out).toContain('HMRC would refuse figures of UK property.');
  expect(refused.out).toContain('Residential mortgage interest: HMRC refuses -40.00.');
});

test('a workbook has every entry, and formulas that add them up to the figures; no sheet is a statement', async () => {
  const file = join(directory, 'figures.xlsx');
  expect((await figures('--xlsx', file, '--rules', rules)).exitCode).toBe(0);
  const bytes = await Bun.file(file).bytes();
  const expected = {
    Figures: [
      'quarter 1 2026-04-06 2026-07-05 uk-property income Rent received periodAmount 900.00 900.00 uk-property periodAmount ',
    ],
    Update: [
      'UK property expense Repairs and maintenance repairsAndMaintenance 60.00 60.00 uk-property repairsAndMaintenance',
      'UK property total Profit before tax adjustments  1740.01 1740.01 uk-property',
    ],
    // No spreadsheet executes the text.
    Entries: [' income  40.00 PLUMBER refund ', " '=1+1 "],
  };
  for (const [sheet, lines] of Object.entries(expected)) {
    const { rows } = await readXlsx(bytes, sheet, '.', () => true);
    const text = rows.map(({ raw }) => raw.join(' ')).join('\n');
    for (const line of lines) expect(text).toContain(line);
    if (sheet === 'Entries') expect(rows).toHaveLength(7);
    const pushed = await run(['push', file, '--sheet', sheet, '-s', 'self-employment', '--yes']);
    expect([pushed.exitCode, pushed.err]).toEqual([2, expect.stringContaining('report of `ledger figures`')]);
  }
  const xml = Object.values(unzip(bytes, () => true, 1_000_000) ?? {}).map((part) => `${Buffer.from(part)}`);
  const formulas = Array.from(xml.join('').matchAll(/<f>([^<]*)<\/f>/g), ([, text]) => `${text}`);
  expect(formulas.length).toBeGreaterThan(20);
  expect(formulas.filter((text) => text.includes('1+1'))).toEqual([]);
});

test('the changes since an earlier document are named, and add up', async () => {
  const { account, run } = await newUser();
  const figures = (...args: string[]) => run(['figures', '--tax-year', '2026-27', '--rules', rules, ...args]);
  await account.post([{ ...rent, amountPence: 90_000 }]);
  const earlier = writeFile('earlier.json', (await figures('--quarter', '1', '--json')).out);
  const unchanged = await figures('--quarter', '1', '--since', earlier);
  expect(unchanged.out).toContain(
    'Changes since the figures of 2026-04-06 to 2026-07-05\nNo figure has changed.\n',
  );
  await account.post([
    { ...rent, amountPence: 90_001, date: '2026-07-06' },
    { ...rent, amountPence: 5, date: '2026-07-05', description: 'late' },
  ]);
  const { out } = await figures('--quarter', '2', '--since', earlier);
  expect(out.slice(out.indexOf('Changes since'))).toBe(
    `Changes since the figures of 2026-04-06 to 2026-07-05

UK property, income, Rent received: 900.00 before and 1,800.06 now
difference  because
    900.01  1 entry after 2026-07-05
      0.05  2026-07-05 late (added)
`,
  );
  const { since } = (await figures('--quarter', '2', '--since', earlier, '--json')).json();
  const difference = { pence: 90_006, sharePence: 90_006 };
  const added = [{ kind: 'added', pence: 5, before: null }, { now: { amountPence: 90_001 } }];
  expect(since).toMatchObject({
    from: '2026-04-06',
    to: '2026-07-05',
    figures: [{ before: { pence: 90_000 }, now: { pence: 180_006 }, difference, entries: added }],
  });
});

test('one source alone has its own figures; a share is shown beside the whole until the rules state which of them counts', async () => {
  const business = { accountId: account.accountId, role: 'owner', type: 'uk-property', sharePercent: 50 };
  const { id } = await admin.createSource({ ...business, name: 'Joint' });
  await account.post([{ ...rent, amountPence: 101 }], { source: id });
  const { out } = await figures('--quarter', '1', '-s', 'Joint');
  expect(out).toMatch(/income +Rent received +periodAmount +1\.01 +1\.01 +0\.51 +0\.51/);
  expect(out).toContain('Your share of Joint is 50 %.');
  const stated = (text: string) => writeFile('share.txt', `otherwise -> ask\nentries of Joint are ${text}\n`);
  const summaryOf = (periodAmount: number) => ({ summary: { ukProperty: { income: { periodAmount } } } });
  for (const [args, figuresOf] of [
    [[], { isFinal: false, businesses: [{ ...summaryOf(1.01), ofShare: summaryOf(0.51) }] }],
    [['--rules', stated('my share')], { isFinal: true, businesses: [summaryOf(1.01)] }],
  ] as const) {
    const { periods } = (await figures('--quarter', '1', '-s', id, '--json', ...args)).json();
    expect(periods[1]).toMatchObject(figuresOf);
  }
});

test.each([
  [['--tax-year', '2026-28'], '--tax-year takes a tax year such as 2026-27.'],
  [['--quarter', '5'], '--quarter takes 1, 2, 3 or 4.'],
  [['--since', '/nowhere.json'], '/nowhere.json cannot be read: there is no such file.'],
  [
    ['--since', rules],
    `${rules} is damaged or was edited: take the file as \`ledger figures --json\` wrote it.`,
  ],
])('a wrong option is told: %p', async (args, message) => {
  const { exitCode, out, err } = await figures(...args);
  expect([exitCode, out, err]).toEqual([2, '', `error: ${message}\n`]);
});

test('entries recorded after their deadline come first, with their day in every form', async () => {
  const { account, run } = await newUser();
  const late = Array.from({ length: 6 }, (_, index) => ({
    ...rent,
    date: '2025-07-05',
    amountPence: 100 + index,
  }));
  await account.post(late);
  const file = join(directory, 'late.xlsx');
  const figures = (...args: string[]) => run(['figures', '--tax-year', '2025-26', '--quarter', '1', ...args]);
  const lines = (await figures('--xlsx', file)).out.split('\n');
  expect(lines[0]).toStartWith('6 entries of quarter 1 were recorded here after its deadline, 2025-08-07.');
  expect(lines[1]).toMatch(/^ {2}2025-07-05 uk-property, income 1\.0\d$/);
  expect(lines.slice(6, 8)).toEqual(['  and 1 more: --json has the ids of all', '']);
  const { checks, entries } = (await figures('--json')).json();
  const ids = entries.map(({ id }: { id: string }) => id);
  expect(checks).toMatchObject([{ kind: 'late', ids: expect.arrayContaining(ids) }]);
  const { recordedOn } = entries[0];
  // Midnight may pass after the entries were made.
  expect(Date.now() - Date.parse(recordedOn)).toBeLessThan(2 * 24 * 3_600_000);
  const { rows } = await readXlsx(await Bun.file(file).bytes(), 'Entries', '.', () => true);
  expect(rows.map(({ cells }) => cells.at(-1))).toEqual(['recorded on', ...ids.map(() => recordedOn)]);
});
