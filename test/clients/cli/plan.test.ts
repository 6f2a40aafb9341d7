/** `ledger push` with rules that decide: several files, several properties, parts, and what is left out. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../fixtures/books.ts';
import { directory, landlord, writeFile } from './command.ts';

const RULES = `
description contains "MILL LANE" -> uk-property / periodAmount
description starts with "AGENT" -> uk-property / split: expense professionalFees 12 % of gross, rest periodAmount
description contains "CLIENT" -> self-employment / turnover
description is "TRANSFER" -> leave out
otherwise -> ask
`;
const HEADER = 'Date,Description,Amount';
const ROWS = ['2026-10-01,RENT MILL LANE,900', '2026-10-02,AGENT 7,836', '2026-10-03,TRANSFER,-500'];
const file = (name: string, ...rows: string[]) => writeFile(name, [HEADER, ...rows, ''].join('\n'));

async function prepared() {
  const user = await landlord(RULES);
  const push = async (...args: string[]) => {
    const { exitCode, err, json } = await user.run('push', ...args, '--rules', user.rules, '--yes', '--json');
    return { exitCode, err, ...json() };
  };
  const stored = async () =>
    (await rowsOf(user.account.accountId))
      .map(({ type, amountPence, category, sourceId }) => {
        const [source] = Object.entries(user.account.sources).find(([, id]) => id === sourceId) ?? [];
        return `${source} ${category} ${type === 'income' ? '' : '-'}${amountPence}`;
      })
      .sort();
  return { ...user, push, stored };
}

const STORED = [
  'self-employment turnover 10000',
  'uk-property periodAmount 90000',
  'uk-property periodAmount 95000',
  'uk-property professionalFees -11400',
];

test('one push fills several sources from several files, and pushed again creates nothing', async () => {
  const { push, stored } = await prepared();
  const files = [file('plan-a.csv', ...ROWS), file('plan-b.csv', '2026-10-04,CLIENT X,100')];
  const first = await push(...files);
  expect(first).toMatchObject({ exitCode: 0, created: 4, new: 4, entries: 4, remaining: 0 });
  expect(first.files).toMatchObject([
    { entries: 3, leftOut: [{ row: 4, rule: 5, amountPence: 50_000, type: 'expense' }] },
    { entries: 1, leftOut: [] },
  ]);
  expect(await stored()).toEqual(STORED);
  expect(await push(...files)).toMatchObject({ exitCode: 0, created: 0, deduplicated: 4 });
  expect(await stored()).toEqual(STORED);
});

test('a row that no rule decides stops the push, and --source decides it', async () => {
  const { push, run, stored } = await prepared();
  const statement = file('plan-ask.csv', ...ROWS, '2026-10-05,TESCO,-5');
  expect(await push(statement)).toMatchObject({
    ...{ exitCode: 3, created: 0 },
    invalid: [{ row: 5, field: 'source', message: expect.stringContaining('Line 6 of the rules asks') }],
  });
  const rules = writeFile('plan-open.txt', RULES.replace('otherwise -> ask\n', ''));
  const args = ['push', statement, '--rules', rules, '--yes', '--json'];
  const message = expect.stringContaining('Nothing decides where this row belongs');
  expect((await run(...args)).json().invalid).toMatchObject([{ row: 5, message }]);
  expect((await run(...args, '-s', 'foreign-property')).json()).toMatchObject({ created: 4 });
  expect(await stored()).toContain('foreign-property null -500');
});

test('the preview shows sources, parts, and each row that a rule leaves out; the report has the rule of each row', async () => {
  const { run, push, rules } = await prepared();
  const statement = file('plan-shown.csv', ...ROWS);
  const { err } = await run('push', statement, '--rules', rules, '--dry-run');
  for (const line of [
    `Rules    ${rules}`,
    '3#1  uk-property  2026-10-02  expense  114.00  professionalFees',
    '  line 5, description is "TRANSFER" -> leave out: 1, expense 500.00',
    '    row 4: 2026-10-03 500.00 TRANSFER',
    'New in uk-property: 3 entries from 2026-10-01 to 2026-10-02,',
  ])
    expect(err).toContain(line);
  const report = join(directory, 'plan-report.csv');
  await push(statement, '--report', report);
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

describe('a row that two files have', () => {
  const [overlap] = ROWS as [string];

  test('is one entry if the files name one account, and two if they name two', async () => {
    const { push, stored } = await prepared();
    const [a, b] = [file('plan-1.csv', ...ROWS), file('plan-2.csv', overlap, '2026-10-09,CLIENT X,100')];
    const one = await push(a, b, '--account', `${a}=Joint`, '--account', `${b}=Joint`, '--dry-run');
    expect(one).toMatchObject({ exitCode: 0, new: 4, repeated: [{ row: 2, first: { row: 2 } }] });
    const two = await push(a, b, '--account', `${a}=Joint`, '--account', `${b}=Own`);
    expect(two).toMatchObject({ exitCode: 0, created: 5, repeated: [] });
    expect(await stored()).toEqual([...STORED, 'uk-property periodAmount 90000'].sort());
  });

  test('is not guessed if they name none, and no file is named twice', async () => {
    const { run, rules, stored } = await prepared();
    const [a, b] = [file('plan-3.csv', ...ROWS), file('plan-4.csv', overlap)];
    const { exitCode, err } = await run('push', a, b, '--rules', rules, '--yes');
    expect(exitCode).toBe(2);
    expect(err).toContain(`Row 2 of ${b} is equal to row 2 of ${a}, and neither names its account.`);
    expect(await stored()).toEqual([]);
    const twice = await run('push', a, a, '--rules', rules, '--yes');
    expect([twice.exitCode, twice.err]).toEqual([2, `error: ${a} is named twice.\n`]);
  });
});

describe('--map and --ignore behind the name of a file', () => {
  const LIST = 'When,Rent,Rent due,Spent on\n2026-10-07,950,1000,CLIENT Y\n';
  const prepare = async () => ({
    ...(await prepared()),
    files: [file('plan-5.csv', ...ROWS), writeFile('plan:6.csv', LIST)] as const,
  });

  test('are of that file, in push, prove and reconcile', async () => {
    const { push, run, rules, files, stored } = await prepare();
    const [bank, list] = files;
    const options = ['--map', `${list}:moneyIn=Rent`, '--ignore', `${list}:Rent due`];
    expect(await push(bank, list, ...options)).toMatchObject({ exitCode: 0, created: 4 });
    expect(await stored()).toContain('self-employment turnover 95000');
    const proof = await run('prove', bank, list, ...options, '--rules', rules, '--json');
    expect(proof.json()).toMatchObject({ isProved: true, counts: { 'in the books': 3, 'left out': 1 } });
    const source = ['-s', 'self-employment', '--rules', rules];
    expect((await run('reconcile', list, ...options, ...source)).exitCode).toBe(0);
  });

  test('are proposed for it, and its problem names it', async () => {
    const { run, rules, files } = await prepare();
    const { exitCode, err } = await run('push', ...files, '--rules', rules, '--yes');
    expect(exitCode).toBe(2);
    expect(err).toStartWith(`error: ${files[1]}: The file does not say for certain`);
    expect(err).toContain(`--map "${files[1]}":moneyIn="Rent" --ignore "${files[1]}":"Rent due"`);
  });

  test('go before a --map without a name, which is for the other files', async () => {
    const { push, files } = await prepare();
    const map = ['--map', `${files[1]}:moneyIn=Rent`, '--map', 'amount=Amount', '--ignore', `${files[1]}:3`];
    expect(await push(...files, ...map)).toMatchObject({ exitCode: 0, created: 4 });
  });

  test('name a file of the command, once, and each field once', async () => {
    const { run, files, rules } = await prepare();
    const [bank, list] = files;
    for (const [maps, message] of [
      [
        ['C:\\lists\\cash.csv:date=When'],
        `--map names the file C:\\lists\\cash.csv, which this command is not given. Its files are: ${bank}, ${list}.`,
      ],
      [[`${list}:date=When`, `${list}:moneyIn=Rent`], `--map is given twice for ${list}`],
      [['date=When', 'moneyIn=Rent'], '--map is given twice for all files'],
      [['date=When,date=Date'], '--map names two columns for date.'],
      [['day=When'], '--map takes pairs such as date=Datum'],
    ] as const) {
      const options = maps.flatMap((map) => ['--map', map]);
      const { exitCode, err } = await run('push', ...files, ...options, '--rules', rules, '--yes');
      expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe('rules are kept', () => {
  test('by `ledger rules FILE`, which checks them, and then used without an option', async () => {
    const { run, rules } = await prepared();
    expect((await run('rules')).out).toContain('No rules are kept.');
    const kept = (await run('rules', rules, '--json')).json();
    expect([kept.rules, readFileSync(kept.file, 'utf8')]).toEqual([5, RULES]);
    const statement = file('plan-kept.csv', ...ROWS);
    expect((await run('push', statement, '--dry-run', '--json')).json()).toMatchObject({ new: 3 });
    const without = await run('push', statement, '--no-rules', '--dry-run');
    expect(without.exitCode).toBe(2);
    expect(without.err).toContain('Name the source of the entries');
  });

  test('not if they name a source that the account does not have', async () => {
    const { run } = await prepared();
    const wrong = writeFile('plan-wrong.txt', 'type is income -> uk-propertie / periodAmount\n');
    const { exitCode, err } = await run('rules', wrong);
    const message = 'Line 1 of the rules: There is no source "uk-propertie". Did you mean uk-property?';
    expect([exitCode, err]).toEqual([2, `error: ${message}\n`]);
    expect((await run('rules')).out).toContain('No rules are kept.');
  });
});

test('what the books suggest is offered, decides nothing by itself, and is applied with --suggest', async () => {
  const { push, run, stored } = await prepared();
  const rule =
    'description starts with "rent mill lane" and type is income -> uk-property / periodAmount  # as 2 entries';
  await push(file('plan-rents.csv', '2026-09-01,RENT MILL LANE 9,900', '2026-10-01,RENT MILL LANE 10,900'));
  const open = writeFile('plan-suggest.txt', 'description is "NEW" -> uk-property\notherwise -> ask\n');
  const next = file('plan-next.csv', '2026-11-01,RENT MILL LANE 11,900', '2026-11-02,NEW,-5');
  const args = ['push', next, '--rules', open, '--yes'];
  const { exitCode, err } = await run(...args);
  expect([exitCode, err]).toEqual([3, expect.stringContaining(`  ${rule}`)]);
  expect(await stored()).toHaveLength(2);
  const document = (await run(...args, '--suggest', '--json')).json();
  expect(document).toMatchObject({ created: 2, suggestions: [rule] });
  expect((await stored()).filter((each) => each === 'uk-property periodAmount 90000')).toHaveLength(3);
});
