/** How `ledger push` and `ledger reconcile` look at all sources of the account before they send or report anything. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { newUser, runLedger, runOnTerminal, statementOf, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const RENT = '2026-10-01,Rent,900';
const AGENT = '2026-10-02,Agent,-90';
const FEE = '2026-10-03,Fee,-9';
const UK = 'uk-property';
const ABROAD = 'foreign-property';

async function prepared() {
  const { account, env, push, run: ledger } = await newUser();
  const run = (command: string, file: string, source: string, ...more: string[]) =>
    ledger([command, file, '-s', source, ...more]);
  const stored = async (source: typeof UK | typeof ABROAD) =>
    (await account.entries(account.sources[source])).map(({ description }) => description);
  return { account, env, run, push, stored };
}

const named = (name: string, ...rows: string[]) =>
  writeFile(name, ['Date,Description,Amount,externalRef,id', ...rows].join('\n'));

test('equal rents of two properties are told, and are in both', async () => {
  const { push, run } = await prepared();
  const file = statementOf('prop.csv', RENT, '2026-10-05,Rent,900');
  expect(await push(file, UK)).toMatchObject({ exitCode: 0, created: 2, new: 2, known: 0 });
  const told = `2 rows are equal to entries of ${UK}, as the same rent of two properties is, and new in ${ABROAD}.`;
  expect((await run('push', file, ABROAD, '--dry-run')).err).toContain(told);
  expect(await push(file, ABROAD)).toMatchObject({ exitCode: 0, created: 2, new: 2, wrongSource: null });
  expect(await push(file, ABROAD)).toMatchObject({ exitCode: 0, created: 0, known: 2, new: 0 });
});

test('a file in the wrong source is refused with the right one; nothing is sent unless the user says so', async () => {
  const { push, run, stored } = await prepared();
  await push(statementOf('first.csv', AGENT, FEE, RENT), UK);
  const file = statementOf('whole.csv', RENT, AGENT, FEE, '2026-10-04,New,5');
  const refused = await run('push', file, ABROAD, '--yes');
  expect([refused.exitCode, refused.out]).toEqual([
    2,
    [
      `3 of these 4 rows are already in ${UK}. Nothing was sent.`,
      `If the file belongs to ${UK}, use --source "${UK}".`,
      `If ${ABROAD} has equal payments of its own, add --another-source.`,
      '',
    ].join('\n'),
  ]);
  expect(refused.err).not.toContain('equal');
  for (const option of ['--dry-run', '--yes']) {
    expect(await push(file, ABROAD, option)).toMatchObject({
      exitCode: 2,
      created: 0,
      remaining: 4,
      wrongSource: { name: UK, rows: 3 },
    });
  }
  expect(await stored(ABROAD)).toEqual([]);
  expect(await push(file, ABROAD, '--another-source')).toMatchObject({ exitCode: 0, created: 4 });
  expect(await push(file, ABROAD)).toMatchObject({ exitCode: 0, created: 0, deduplicated: 4 });
  expect(await stored(UK)).toHaveLength(3);
});

test('an entry with a reference of the file is not sent to a second source, and told', async () => {
  const { push, run, stored } = await prepared();
  await push(named('own.csv', `${RENT},r1,`), UK);
  const report = writeFile('own-report.csv', '');
  const more = named('own.csv', `${RENT},r1,`, '2026-10-02,New,-9,r3,');
  const { exitCode, out } = await run('push', more, ABROAD, '--yes', '--report', report);
  expect([exitCode, out]).toEqual([5, expect.stringContaining('1 entry is in another source')]);
  expect(await Bun.file(report).text()).toMatch(/\r\n2,elsewhere,[0-9a-f-]{36},r1,is in uk-property,/);
  expect(await stored(ABROAD)).toEqual(['New']);
});

test('a dry run tells what is new, what is known and what differs, with both values', async () => {
  const { push, run, stored } = await prepared();
  await push(named('before.csv', `${RENT},r1,`, `${AGENT},r2,`), UK);
  const file = named('now.csv', `${RENT},r1,`, '2026-10-02,Agent,-95.50,r2,', '2026-10-03,New,5,r3,');
  const { exitCode, out, err } = await run('push', file, UK, '--dry-run');
  expect([exitCode, out]).toEqual([0, 'Dry run: nothing was sent. 1 entry is new, of 3.\n']);
  expect(err).toContain('\n3 entries: 1 new, 2 in the books.\n');
  expect(err).toMatch(/uk-property +income +\(review queue\) +2 +905\.00 +1 +5\.00\n/);
  expect(err).toMatch(/\n *row +field +file +books +id\n +3 +amount +95\.50 +90\.00 /);
  expect(await push(file, UK, '--dry-run')).toMatchObject({
    exitCode: 0,
    new: 1,
    known: 2,
    elsewhere: 0,
    remaining: 1,
    created: 0,
    conflicts: [{ row: 3, fields: ['amountPence'] }],
  });
  expect(await stored(UK)).toHaveLength(2);
});

test('a dry run with --offline needs no service and no key, and says that the books were not read', async () => {
  const file = statementOf('offline.csv', RENT);
  const env = { LEDGER_URL: 'http://127.0.0.1:1', LEDGER_API_KEY: '' };
  const offline = (...more: string[]) =>
    runLedger(['push', file, '-s', 'Acacia', '--offline', ...more], { env });
  const { exitCode, out, err } = await offline('--dry-run');
  expect([exitCode, out]).toEqual([
    0,
    'Dry run without the service: 1 entry is ready. The books were not read, and categories not checked.\n',
  ]);
  expect(err).toContain('for Acacia');
  const unknown = { new: null, known: null, elsewhere: null, wrongSource: null };
  expect((await offline('--dry-run', '--json')).json()).toMatchObject(unknown);
  const sending = await offline('--yes');
  expect(sending).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('--offline goes with --dry-run'),
  });
});

test('a push says what it sends, and that it stays, before it asks', async () => {
  const { env, push } = await prepared();
  await push(statementOf('one.csv', RENT), UK, '--category-income', 'periodAmount');
  const file = statementOf('promise.csv', RENT, '2026-10-02,Agent,-90.50', '2062-04-07,Rent,900');
  const args = ['push', file, '-s', UK, '--category-income', 'periodAmount'];
  const shown = (await runOnTerminal(args, env, [['[y/N]', () => 'y\r']])).shown.replace(/\r+\n/g, '\n');
  const [before = '', after = ''] = Bun.stripANSI(shown).split('Send 2 entries to uk-property?');
  for (const line of [
    '3 entries: 2 new, 1 in the books.',
    'New in uk-property: 2 entries from 2026-10-02 to 2062-04-07, income 900.00 (1), expense 90.50 (1), 1 without a category.',
    'Look at row 4, date "2062-04-07": The date 2062-04-07 is more than a week ahead.',
    'An entry cannot be changed or deleted through this service afterwards.',
  ]) {
    expect(before).toContain(`${line}\n`);
  }
  expect(after).toContain('2 created, 1 already known.');
});

test('reconcile, which is also called prove, ends with 6 if a field differs, or a second row names one entry', async () => {
  const { account, push, run } = await prepared();
  const [first, second] = [`${RENT},r1,`, `${AGENT},r2,`];
  await push(named('reconciled.csv', first, second), UK);
  const [newest] = await account.entries();
  for (const [code, rows, counts] of [
    [0, [first, second], { 'in the books': 2 }],
    [6, [first, second.replace('90', '91')], { 'in the books': 1, different: 1 }],
    [6, [first, second, `${AGENT},,${newest?.id}`], { 'in the books': 2, missing: 1 }],
  ] as const) {
    const file = named('reconciled.csv', ...rows);
    const { exitCode, out, json } = await run('reconcile', file, UK, '--json');
    expect([exitCode, json().counts]).toEqual([code, counts]);
    expect(await run('prove', file, UK, '--json')).toMatchObject({ exitCode, out });
  }
});
