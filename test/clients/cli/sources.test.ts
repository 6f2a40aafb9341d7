/** How `ledger push` and `ledger reconcile` look at all sources of the account before they send or report anything. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { newUser, runLedger, runOnTerminal, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const HEADER = 'Date,Description,Amount';
const RENT = '2026-10-01,Rent,900';
const UK = 'uk-property';
const ABROAD = 'foreign-property';

async function prepared() {
  const { account, env, push, run: ledger } = await newUser();
  const run = (command: string, file: string, source: string, ...more: string[]) =>
    ledger([command, file, '-s', source, ...more]);
  const stored = async (source: typeof UK | typeof ABROAD) =>
    (await account.entries(account.sources[source]))
      .map(({ date, description }) => `${date} ${description}`)
      .sort();
  return { account, env, run, push, stored };
}

const fileOf = (name: string, ...rows: string[]) => writeFile(name, [HEADER, ...rows, ''].join('\n'));
const statement = (rows: number) =>
  Array.from(
    { length: rows },
    (_, n) => `2026-10-${String((n % 28) + 1).padStart(2, '0')},Row ${n},${n + 1}.50`,
  );

test('two properties with equal rents on one day have both, and are told so; again nothing is created, and a later file adds what is new', async () => {
  const { push, run, stored } = await prepared();
  const rows = [RENT, '2026-10-05,Rent,900'];
  const file = fileOf('prop.csv', ...rows);
  expect(await push(file, UK)).toMatchObject({ exitCode: 0, created: 2, new: 2, known: 0 });
  const told = `2 rows are equal to entries of ${UK}, as the same rent of two properties is, and new in ${ABROAD}.`;
  expect((await run('push', file, ABROAD, '--dry-run')).err).toContain(told);
  expect(await push(file, ABROAD)).toMatchObject({ exitCode: 0, created: 2, new: 2, wrongSource: null });
  for (const source of [ABROAD, UK]) {
    expect(await push(file, source)).toMatchObject({ exitCode: 0, created: 0, known: 2, new: 0 });
    const { exitCode, out } = await run('reconcile', file, source);
    expect([exitCode, out]).toEqual([0, expect.stringContaining('2 rows in the books.')]);
  }
  // In the other order, and with a second equal rent on one day.
  const later = fileOf('prop-later.csv', ...rows, '2026-10-05,Rent,900', '2026-11-01,Rent,900');
  for (const source of [UK, ABROAD]) {
    expect(await push(later, source)).toMatchObject({ exitCode: 0, created: 2, deduplicated: 2 });
  }
  const expected = ['2026-10-01 Rent', '2026-10-05 Rent', '2026-10-05 Rent', '2026-11-01 Rent'];
  expect([await stored(UK), await stored(ABROAD)]).toEqual([expected, expected]);
});

describe('a file in the wrong source', () => {
  test('is refused with the right one; nothing is sent unless the user says so', async () => {
    const { push, run, stored } = await prepared();
    const rows = statement(32);
    await push(fileOf('first.csv', ...rows.slice(1)), UK);
    const file = fileOf('whole.csv', ...rows);
    const refused = await run('push', file, ABROAD, '--yes');
    expect([refused.exitCode, refused.out]).toEqual([
      2,
      [
        `31 of these 32 rows are already in ${UK}. Nothing was sent.`,
        `If the file belongs to ${UK}, use --source "${UK}".`,
        `If ${ABROAD} has equal payments of its own, add --another-source.`,
        '',
      ].join('\n'),
    ]);
    expect(refused.err).not.toContain('equal');
    for (const option of ['--dry-run', '--yes']) {
      expect(await push(file, ABROAD, option)).toMatchObject({
        ...{ exitCode: 2, created: 0, remaining: 32, wrongSource: { name: UK, rows: 31 } },
      });
    }
    expect(await stored(ABROAD)).toEqual([]);
    expect(await push(file, ABROAD, '--another-source')).toMatchObject({ exitCode: 0, created: 32 });
    expect(await push(file, ABROAD)).toMatchObject({ exitCode: 0, created: 0, deduplicated: 32 });
    expect(await stored(UK)).toHaveLength(31);
  });
});

test('an entry with a reference of the file is not sent to a second source, and told', async () => {
  const { push, run, stored } = await prepared();
  const file = (...rows: string[]) => writeFile('own.csv', [`${HEADER},externalRef`, ...rows].join('\n'));
  await push(file(`${RENT},r1`), UK);
  const report = writeFile('own-report.csv', '');
  const more = file(`${RENT},r1`, '2026-10-02,New,-9,r3');
  const { exitCode, out } = await run('push', more, ABROAD, '--yes', '--report', report);
  expect([exitCode, out]).toEqual([5, expect.stringContaining('1 entry is in another source')]);
  expect(await Bun.file(report).text()).toMatch(/\r\n2,elsewhere,[0-9a-f-]{36},r1,is in uk-property,/);
  expect(await stored(ABROAD)).toEqual(['2026-10-02 New']);
});

describe('a dry run', () => {
  test('tells what is new, what is known and what differs, with both values', async () => {
    const { push, run, stored } = await prepared();
    const header = `${HEADER},externalRef`;
    await push(writeFile('before.csv', `${header}\n${RENT},r1\n2026-10-02,Agent,-90,r2\n`), UK);
    const rows = [`${RENT},r1`, '2026-10-02,Agent,-95.50,r2', '2026-10-03,New,5,r3'];
    const file = writeFile('now.csv', [header, ...rows].join('\n'));
    const { exitCode, out, err } = await run('push', file, UK, '--dry-run');
    expect([exitCode, out]).toEqual([0, 'Dry run: nothing was sent. 1 entry is new, of 3.\n']);
    expect(err).toContain('\n3 entries: 1 new, 2 in the books.\n');
    expect(err).toMatch(/uk-property +income +\(review queue\) +2 +905\.00 +1 +5\.00\n/);
    expect(err).toMatch(/\n *row +field +file +books +id\n +3 +amount +95\.50 +90\.00 /);
    expect(await push(file, UK, '--dry-run')).toMatchObject({
      ...{ exitCode: 0, new: 1, known: 2, elsewhere: 0, remaining: 1, created: 0 },
      conflicts: [{ row: 3, fields: ['amountPence'] }],
    });
    expect(await stored(UK)).toHaveLength(2);
  });

  test('with --offline needs no service and no key, and says that the books were not read', async () => {
    const file = fileOf('offline.csv', RENT);
    const env = { LEDGER_URL: 'http://127.0.0.1:1', LEDGER_API_KEY: '' };
    const args = ['push', file, '-s', 'Acacia', '--dry-run', '--offline'];
    const { exitCode, out, err } = await runLedger(args, { env });
    expect([exitCode, out]).toEqual([
      0,
      'Dry run without the service: 1 entry is ready. The books were not read, and categories not checked.\n',
    ]);
    expect(err).toContain('for Acacia');
    const document = (await runLedger([...args, '--json'], { env })).json();
    expect(document).toMatchObject({ new: null, known: null, elsewhere: null, wrongSource: null });
    const sending = await runLedger(['push', file, '-s', 'Acacia', '--offline', '--yes'], { env });
    expect(sending.exitCode).toBe(2);
    expect(sending.err).toContain('--offline goes with --dry-run');
  });
});

describe('a push', () => {
  test('says what it sends, and that it stays, before it asks', async () => {
    const { env, push } = await prepared();
    await push(fileOf('one.csv', RENT), UK, '--category-income', 'periodAmount');
    const rows = [RENT, '2026-10-02,Agent,-90.50', '2062-04-07,Rent,900'];
    const file = fileOf('promise.csv', ...rows);
    const args = ['push', file, '-s', UK, '--category-income', 'periodAmount'];
    const shown = (await runOnTerminal(args, env, [['[y/N]', () => 'y\r']])).shown.replace(/\r+\n/g, '\n');
    const [before = '', after = ''] = Bun.stripANSI(shown).split('Send 2 entries to uk-property?');
    for (const line of [
      '3 entries: 2 new, 1 in the books.',
      'New in uk-property: 2 entries from 2026-10-02 to 2062-04-07, income 900.00 (1), expense 90.50 (1), 1 without a category.',
      'Look at row 4, date "2062-04-07": The date 2062-04-07 is more than a year ahead.',
      'An entry cannot be changed or deleted through this service afterwards.',
    ]) {
      expect(before).toContain(`${line}\n`);
    }
    expect(after).toContain('2 created, 1 already known.');
  });
});

test('reconcile names a row without an entry, an entry without a row, and a field that differs; each entry accounts for one row', async () => {
  const { account, push, run } = await prepared();
  const file = (...rows: string[]) =>
    writeFile('reconciled.csv', [`${HEADER},externalRef,id`, ...rows].join('\n'));
  const [first, second, third] = [
    '2026-10-01,Rent,900,r1,',
    '2026-10-02,Agent,-90,r2,',
    '2026-10-03,Fee,-9,r3,',
  ];
  await push(file(first, second, third), UK);
  const [newest] = await account.entries();
  const unnamed = { date: '2026-10-09', type: 'income', amountPence: 700, description: 'Parking' };
  await account.post([unnamed]);
  for (const [code, rows, counts, others] of [
    [0, [first, second, third], { 'in the books': 3 }, {}],
    [6, [first, second, third, '2026-10-02,More,1,r4,'], { 'in the books': 3, missing: 1 }, {}],
    [
      0,
      [first, third],
      { 'in the books': 2 },
      { fromElsewhere: [{ externalRef: 'r2', amountPence: 9_000 }] },
    ],
    [0, [first, second, third, '2026-10-09,Parking,7,,'], { 'in the books': 3, 'probably known': 1 }, {}],
    [6, [first, second.replace('90', '91'), third], { 'in the books': 2, different: 1 }, {}],
    [6, [first, second, third, `2026-10-03,Fee,-9,,${newest?.id}`], { 'in the books': 3, missing: 1 }, {}],
  ] as const) {
    const { exitCode, out, json } = await run('reconcile', file(...rows), UK, '--json');
    expect([exitCode, json()]).toMatchObject([code, { counts, fromElsewhere: [], ...others }]);
    // The other name of the command.
    expect(await run('prove', file(...rows), UK, '--json')).toMatchObject({ exitCode, out });
  }
});
