/** `ledger push` with rules that decide: several files, several properties, parts, and what is left out. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { directory, statementOf as file, landlord, ROWS, RULES, writeFile } from './command.ts';

setDefaultTimeout(60_000);

async function prepared() {
  const user = await landlord();
  const push = (...args: string[]) => user.json('push', ...args, '--rules', user.rules, '--yes');
  return { ...user, push };
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
  expect(await push(...files)).toMatchObject({ exitCode: 0, created: 0, deduplicated: 4 });
  expect(await stored()).toEqual(STORED);
});

test('a name of a column that no source or category has is a problem with the nearest one, and the option of that column', async () => {
  const { run } = await prepared();
  const header = 'Date,Description,Money in,House,Category';
  const rows = [header, '2026-10-01,a,5,uk,', '2026-10-01,b,5,uk-property,othr'];
  const statement = writeFile('plan-names.csv', rows.join('\n'));
  const { err } = await run('push', statement, '--map', 'source=House', '--no-rules', '--dry-run');
  expect(err).toContain(
    'There is no source "uk". Did you mean uk-property? --map source= leaves the column out.',
  );
  expect(err).toMatch(/There is no category "othr".* --map category= leaves the column out\./);
});

test('a row that no rule decides is answered in the file of --decide, which keeps the answer for later pushes and reconciliations', async () => {
  const { run, json, rules, stored } = await prepared();
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
  expect([asked.exitCode, asked.out.includes(`${decisions} has a line for each.`)]).toEqual([3, true]);
  expect(asked.out).toContain(`run the command again: ledger ${decide.join(' ')}\n`);
  const open = readFileSync(decisions, 'utf8');
  expect(open).toContain(`\r\n,${statement},6,2026-10-06,'-6.00,ALDI,`);
  const answer = (tescos: string, aldis: string) => {
    const text = open.replace(/\n,(?=.*TESCO)/, `\n${tescos},`).replace(/\n,(?=.*ALDI)/, `\n${aldis},`);
    writeFileSync(decisions, text);
  };
  for (const [wrong, exitCode, message] of [
    ['uk-propertie / other', 3, 'There is no source "uk-propertie". Did you mean uk-property?\n'],
    ['uk-property / othr', 3, 'Did you mean other allowable expenses (other)?\n'],
    ['uk-property / refund of other', 2, 'in row 2: write a source, SOURCE / CATEGORY, or leave out.'],
    ['leave', 2, 'has the decision "leave" in row 2: write a source'],
  ] as const) {
    answer(wrong, '');
    const { exitCode: code, err } = await run(...decide);
    expect([code, err]).toEqual([exitCode, expect.stringContaining(message)]);
  }
  expect(await stored()).toEqual([]);
  answer('uk-property / other', 'leave out');
  const report = join(directory, 'plan-report.csv');
  expect(await json(...decide, '--report', report)).toMatchObject({
    exitCode: 0,
    created: 4,
    skipped: [{}, { row: 6, reason: 'It is left out.', isByHand: true }],
  });
  expect(readFileSync(report, 'utf8')).toContain('\r\n6,left out,');
  expect(await stored()).toContain('uk-property other -500');
  expect(await json(...decide)).toMatchObject({ created: 0, deduplicated: 4 });
  const later = file('plan-answer-later.csv', tesco, aldi, '2026-10-07,RENT MILL LANE,900');
  const next = await json('push', later, ...decide.slice(2));
  expect(next).toMatchObject({ created: 1, deduplicated: 1, invalid: [] });
  expect((await run('reconcile', statement, '--rules', rules)).exitCode).toBe(6);
  const reconcile = () => run('reconcile', statement, '--rules', rules, '--decide', decisions);
  expect((await reconcile()).exitCode).toBe(0);
  answer('leave out', 'leave out');
  const { err } = await run(...decide);
  expect(err).not.toContain('skipped');
  expect(err).toContain('2 rows are left out by hand:\n  rows 5, 6: It is left out.\n');
  expect(err).toContain('  By hand: 1 row, expense 5.00\n');
  expect(await reconcile()).toMatchObject({
    exitCode: 6,
    out: expect.stringContaining('1 row left out and in the books'),
  });
});

test('a row that two files have is one entry if they name one account, two if they name two, and not guessed if they name none', async () => {
  const { push, run, rules, stored } = await prepared();
  const [overlap = ''] = ROWS;
  const [a, b] = [file('plan-1.csv', ...ROWS), file('plan-2.csv', overlap, '2026-10-09,CLIENT X,100')];
  const { exitCode, err } = await run('push', a, b, '--rules', rules, '--yes');
  const equal = `Row 2 of ${b} is equal to row 2 of ${a}, and neither names its account.`;
  expect([exitCode, err]).toEqual([2, expect.stringContaining(equal)]);
  const twice = await run('push', a, a, '--rules', rules, '--yes');
  expect([twice.exitCode, twice.err]).toEqual([2, `error: ${a} is named twice.\n`]);
  const one = await push(a, b, '--account', `${a}=Joint`, '--account', `${b}=Joint`, '--dry-run');
  expect(one).toMatchObject({ exitCode: 0, new: 4, repeated: [{ row: 2, first: { row: 2 } }] });
  expect(await stored()).toEqual([]);
  const two = await push(a, b, '--account', `${a}=Joint`, '--account', `${b}=Own`);
  expect(two).toMatchObject({ exitCode: 0, created: 5, repeated: [] });
  expect(await stored()).toEqual([...STORED, 'uk-property periodAmount 90000'].sort());
});

describe('--map and --ignore behind the name of a file', () => {
  const LIST = 'When,Rent,Rent due,Spent on\n2026-10-07,940,1000,CLIENT Y\n';
  const bank = file('plan-5.csv', ...ROWS);
  const list = writeFile('plan:6.csv', LIST);

  test('are of that file, in push and reconcile, and precede those for all files', async () => {
    const { push, run, json, rules, stored } = await prepared();
    const options = ['--map', `${list}:moneyIn=Rent`, '--ignore', `${list}:Rent due`];
    expect(await push(bank, list, ...options)).toMatchObject({ exitCode: 0, created: 4 });
    expect(await stored()).toContain('self-employment turnover 94000');
    const counts = { 'in the books': 3, 'left out': 1 };
    const result = await json('reconcile', bank, list, ...options, '--rules', rules);
    expect(result).toMatchObject({ isReconciled: true, counts });
    const source = ['-s', 'self-employment', '--rules', rules];
    expect((await run('reconcile', list, ...options, ...source)).exitCode).toBe(0);
    const all = [...options.slice(0, 2), '--map', 'amount=Amount', '--ignore', `${list}:3`];
    expect(await push(bank, list, ...all)).toMatchObject({ exitCode: 0, created: 0, deduplicated: 4 });
  });

  test('leave to the --map for all files the fields that they do not name', async () => {
    const { push, stored } = await prepared();
    const lists = ['plan-7.csv', 'plan-8.csv'].map((name, index) =>
      writeFile(name, `When,Remark,Rent\n2026-10-01,CLIENT ${'YZ'[index]},${100 * (index + 1)}\n`),
    );
    const own = lists.flatMap((name) => ['--map', `${name}:moneyIn=Rent`]);
    const result = await push(...lists, '--map', 'description=Remark', ...own);
    expect(result).toMatchObject({ exitCode: 0, created: 2 });
    expect(await stored()).toHaveLength(2);
  });

  test('are options of the answers to its questions, which name it', async () => {
    const { run, rules } = await prepared();
    const { exitCode, err } = await run('push', bank, list, '--rules', rules, '--yes');
    expect(exitCode).toBe(2);
    expect(err).toStartWith(`error: ${list}: `);
    expect(err).toContain(`--amount '${list}:Rent due=…'`);
    expect(err).toContain(`--ignore ${list}:COLUMN`);
  });

  test('name a file of the command, once, and each field once', async () => {
    const { run, rules } = await prepared();
    for (const [maps, message] of [
      [
        ['C:\\lists\\cash.csv:date=When'],
        `--map names the file C:\\lists\\cash.csv, which this command is not given. Its files are: ${bank}, ${list}.`,
      ],
      [[`${list}:date=When`, `${list}:date=Rent`], '--map names two columns for date.'],
      [['date=When,date=Date'], '--map names two columns for date.'],
      [['day=When'], '--map takes pairs such as date=Datum'],
    ] as const) {
      const options = maps.flatMap((map) => ['--map', map]);
      const { exitCode, err } = await run('push', bank, list, ...options, '--rules', rules, '--yes');
      expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

test('rules are kept by `ledger rules FILE`, which checks them, and then used without an option', async () => {
  const { run, json, rules } = await prepared();
  const wrong = writeFile('plan-wrong.txt', 'type is income -> uk-propertie / periodAmount\n');
  const { exitCode, err } = await run('rules', wrong);
  const message = 'Line 1 of the rules: There is no source "uk-propertie". Did you mean uk-property?';
  expect([exitCode, err]).toEqual([2, `error: ${message}\n`]);
  expect((await run('rules')).out).toContain('No rules are kept.');
  const kept = await json('rules', rules);
  expect([kept.rules, readFileSync(kept.file, 'utf8')]).toEqual([5, RULES]);
  const statement = file('plan-kept.csv', ...ROWS);
  expect(await json('push', statement, '--dry-run')).toMatchObject({ new: 3 });
  const without = await run('push', statement, '--no-rules', '--dry-run');
  expect(without.exitCode).toBe(2);
  expect(without.err).toContain('Name the source of the entries');
});

test('what the books suggest is offered, decides nothing by itself, and is applied with --suggest', async () => {
  const { push, run, json, stored } = await prepared();
  const rule =
    'description starts with "rent mill lane" and type is income -> uk-property / periodAmount  # as 2 entries';
  await push(file('plan-rents.csv', '2026-09-01,RENT MILL LANE 9,900', '2026-10-01,RENT MILL LANE 10,900'));
  const open = writeFile('plan-suggest.txt', 'description is "NEW" -> uk-property\notherwise -> ask\n');
  const next = file('plan-next.csv', '2026-11-01,RENT MILL LANE 11,900', '2026-11-02,NEW,-5');
  const args = ['push', next, '--rules', open, '--yes'];
  const { exitCode, err } = await run(...args);
  expect([exitCode, err]).toEqual([3, expect.stringContaining(`  ${rule}`)]);
  expect(await stored()).toHaveLength(2);
  expect(await json(...args, '--suggest')).toMatchObject({ created: 2, suggestions: [rule] });
  expect((await stored()).filter((each) => each === 'uk-property periodAmount 90000')).toHaveLength(3);
});
