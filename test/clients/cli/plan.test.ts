/** `ledger push` with rules that decide: several files, several properties, parts, and what is left out. */
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
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

test('the parts of a row in two sources are stored once each, reconciled, and in no other source when the rules change', async () => {
  const { run, stored } = await prepared();
  const statement = file('plan-parts.csv', '2026-10-01,AVIVA,-100.01', '2026-10-02,BG,-7');
  const commands = async (name: string, second: string) => {
    const split = `split: uk-property / premisesRunningCosts 60 % of payment, ${second} / rest premisesRunningCosts`;
    const rules = writeFile(
      name,
      `"aviva" until 2026-10-01 → ${split}\n“edf” or “bg” → uk-property / other\n`,
    );
    const { exitCode, json } = await run('push', statement, '--rules', rules, '--yes', '--json');
    const { created, deduplicated, elsewhere } = json();
    return [
      exitCode,
      created,
      deduplicated,
      elsewhere,
      (await run('reconcile', statement, '--rules', rules)).exitCode,
    ];
  };
  expect(await commands('parts.txt', 'self-employment')).toEqual([0, 3, 0, 0, 0]);
  const before = await stored();
  expect(before).toEqual([
    'self-employment premisesRunningCosts -4000',
    'uk-property other -700',
    'uk-property premisesRunningCosts -6001',
  ]);
  expect(await commands('parts.txt', 'self-employment')).toEqual([0, 0, 3, 0, 0]);
  expect(await commands('parts-moved.txt', 'foreign-property')).toEqual([5, 0, 2, 1, 6]);
  expect(await stored()).toEqual(before);
});

test('a name of a column that no source or category has is a problem with the nearest one, and the option of that column', async () => {
  const { run } = await prepared();
  const rows = [`${HEADER},House,Category`, '2026-10-01,a,5,uk,', '2026-10-01,b,5,uk-property,othr'];
  const statement = writeFile('plan-names.csv', rows.join('\n'));
  const { err } = await run('push', statement, '--map', 'source=House', '--no-rules', '--dry-run');
  expect(err).toContain(
    'There is no source "uk". Did you mean uk-property? --map source= leaves the column out.',
  );
  expect(err).toMatch(/There is no category "othr".* --map category= leaves the column out\./);
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

test('a row that no rule decides is answered in the file of --decide, which keeps the answer for later pushes and reconciliations', async () => {
  const { run, rules, stored } = await prepared();
  const [tesco, aldi] = ['2026-10-05,TESCO,-5', '2026-10-06,ALDI,-6'];
  const statement = file('plan-answer.csv', ...ROWS, tesco, aldi);
  const args = ['push', statement, '--rules', rules, '--yes'];
  const waits = '2 rows wait for an answer: to which property or business they belong.\n';
  const first = await run(...args);
  expect([first.exitCode, first.out]).toEqual([3, expect.stringContaining(waits)]);
  expect(first.out).toContain(`answer row by row: ledger ${args.join(' ')} --decide decisions.csv\n`);

  const bad = await run('push', file('plan-bad.csv', tesco, '2026-10-06,BAD,x'), ...args.slice(2));
  expect(bad.out).toContain('Rows that no rule decides can be answered with --decide as soon as');

  const decisions = join(directory, 'plan-answers.csv');
  const decide = [...args, '--decide', decisions];
  const asked = await run(...decide);
  expect([asked.exitCode, asked.out]).toEqual([
    3,
    expect.stringContaining(`${decisions} has a line for each.`),
  ]);
  expect(asked.out).toContain(`run the command again: ledger ${decide.join(' ')}\n`);
  const open = readFileSync(decisions, 'utf8');
  expect(open).toContain(`\r\n,${statement},6,2026-10-06,'-6.00,ALDI,`);
  const answered = async (tescos: string, aldis: string, ...more: string[]) => {
    const text = open.replace(/\n,(?=.*TESCO)/, `\n${tescos},`).replace(/\n,(?=.*ALDI)/, `\n${aldis},`);
    writeFileSync(decisions, text);
    return run(...decide, ...more);
  };
  for (const [answer, exitCode, message] of [
    ['uk-propertie / other', 3, 'There is no source "uk-propertie". Did you mean uk-property?\n'],
    ['uk-property / othr', 3, 'Did you mean other allowable expenses (other)?\n'],
    [
      'uk-property / refund of other',
      2,
      'in row 2: write a source, SOURCE / CATEGORY, or leave out. A split',
    ],
    ['leave', 2, 'has the decision "leave" in row 2: write a source'],
  ] as const) {
    const { err, ...wrong } = await answered(answer, '');
    expect([wrong.exitCode, err]).toEqual([exitCode, expect.stringContaining(message)]);
  }
  expect(await stored()).toEqual([]);
  const sent = await answered('uk-property / other', 'leave out', '--json');
  expect([sent.exitCode, sent.json().created, sent.json().skipped]).toEqual([
    ...[0, 4],
    [expect.anything(), { row: 6, reason: 'It is left out.', isByHand: true }],
  ]);
  expect(await stored()).toContain('uk-property other -500');
  expect((await run(...decide, '--json')).json()).toMatchObject({ created: 0, deduplicated: 4 });
  const later = file('plan-answer-later.csv', tesco, aldi, '2026-10-07,RENT MILL LANE,900');
  const next = await run('push', later, '--rules', rules, '--yes', '--decide', decisions, '--json');
  expect(next.json()).toMatchObject({ created: 1, deduplicated: 1, invalid: [] });
  expect((await run('reconcile', statement, '--rules', rules)).exitCode).toBe(6);
  const reconcile = () => run('reconcile', statement, '--rules', rules, '--decide', decisions);
  expect((await reconcile()).exitCode).toBe(0);
  expect((await answered('leave out', 'leave out')).err).toContain('  by hand: 1 row, expense 5.00\n');
  const reconciled = await reconcile();
  expect([reconciled.exitCode, reconciled.out]).toEqual([
    6,
    expect.stringContaining('1 row left out and in the books'),
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

  test('are of that file, in push and reconcile', async () => {
    const { push, run, rules, files, stored } = await prepare();
    const [bank, list] = files;
    const options = ['--map', `${list}:moneyIn=Rent`, '--ignore', `${list}:Rent due`];
    expect(await push(bank, list, ...options)).toMatchObject({ exitCode: 0, created: 4 });
    expect(await stored()).toContain('self-employment turnover 95000');
    const result = await run('reconcile', bank, list, ...options, '--rules', rules, '--json');
    expect(result.json()).toMatchObject({
      isReconciled: true,
      counts: { 'in the books': 3, 'left out': 1 },
    });
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
