/** Questions about a file: options answer them, a person answers on a terminal, and the answers are kept for later files of the kind. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { use } from '../../fixtures/day.ts';
import { startProxy } from '../proxy.ts';
import { failure } from '../python/rules.ts';
import { landlord, runLedger, runOnTerminal, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const HEADER = 'Date,Details,Amount,Ready';
const ANSWERS = ['--map', 'spent=Amount', '--values', 'Ready: Yes=keep, No=skip'];
const list = (name: string, ...rows: string[]) => writeFile(name, [HEADER, ...rows, ''].join('\n'));
const OCTOBER = ['2026-10-01,Wickes,60.00,Yes', '2026-10-02,Screwfix,12.00,No'];
const NOVEMBER = ['2026-11-03,Toolstation,5.00,No', '2026-11-04,Plumber,80.00,Yes'];

/** A user who has pushed a list, and keeps its columns. */
async function withKept(...more: string[]) {
  const user = await landlord('');
  const rulesFile = join(user.env.XDG_CONFIG_HOME, 'bookkeeping-ledger', 'rules', 'default.txt');
  const push = (file: string, ...options: string[]) =>
    user.run('push', file, '-s', 'uk-property', '--yes', ...options);
  const file = list('kept-october.csv', ...OCTOBER);
  const first = await push(file, ...ANSWERS, '--keep', ...more);
  const rules = () => (existsSync(rulesFile) ? readFileSync(rulesFile, 'utf8') : '');
  return { ...user, push, first, rules, rulesFile };
}
const LINE =
  /^columns in csv "Date,Details,Amount,Ready" from \d{4}-\d\d-\d\d: spent=Amount; Ready: Yes=keep, No=skip\n$/;

describe('the answers about a file', () => {
  let user: Awaited<ReturnType<typeof withKept>>;
  beforeAll(async () => {
    user = await withKept();
  });

  test('are options, and each question names them', async () => {
    const file = list('kept-asked.csv', ...OCTOBER);
    const { exitCode, err } = await user.push(file, '--no-rules');
    expect(exitCode).toBe(2);
    expect(err).toStartWith('error: 2 things are open about the file.');
    for (const option of [`--values 'Ready: Yes=…, No=…'`, '--map spent=Amount', '--ignore Ready'])
      expect(err).toContain(`\n   ${option}`);
    expect(await user.stored()).toEqual(['uk-property null -6000']);
    const { error } = (await user.push(file, '--no-rules', '--json')).json();
    expect(error.questions).toMatchObject([{ kind: 'values', values: ['Yes', 'No'] }, { kind: 'direction' }]);
  });

  test('are kept with the rules, and the next file of the kind asks nothing', async () => {
    expect(user.first.exitCode).toBe(0);
    expect(user.first.err).toContain('Kept for later files of the kind:\n  columns in csv ');
    expect(user.rules()).toMatch(LINE);
    const { exitCode, err } = await user.push(list('kept-november.csv', ...NOVEMBER), '--dry-run');
    expect(exitCode).toBe(0);
    expect(err).toMatch(
      /\nColumns {2}as chosen on \d{4}-\d\d-\d\d: spent=Amount; Ready: Yes=keep, No=skip\n/,
    );
    expect(err).not.toContain('--keep');
  });

  test('hold for a reconciliation too', async () => {
    const file = list('kept-october.csv', ...OCTOBER);
    const { exitCode, out } = await user.run('reconcile', file, '-s', 'uk-property');
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/\nColumns {2}as chosen on [\d-]+: spent=Amount; /),
    ]);
  });

  test('leave a new value open, and it alone', async () => {
    const file = list('kept-value.csv', ...NOVEMBER, '2026-11-05,Roofer,70.00,Soon');
    const { exitCode, err } = await user.push(file);
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/^error: 1 thing is open/)]);
    expect(err).toContain(`--values 'Ready: Soon=skip'`);
    expect(err).toMatch(/The other columns are as chosen on [\d-]+\./);
    expect((await user.push(file, '--values', 'Ready: Soon=skip', '--dry-run')).exitCode).toBe(0);
  });

  test('that a file contradicts are asked about again, with both readings', async () => {
    const rows = ['2026-11-03,A,-5.00,Yes', '2026-11-04,B,-80.00,Yes', '2026-11-05,C,9.00,Yes'];
    const { exitCode, err } = await user.push(list('kept-signs.csv', ...rows));
    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /The file contradicts .* chosen on [\d-]+: row 2 is expense 5.00 by the file, and income 5.00 as chosen/,
    );
    expect(err).toContain('--map amount=Amount');
    const answered = await user.push(list('kept-signs.csv', ...rows), '--map', 'amount=Amount', '--dry-run');
    expect(answered.exitCode).toBe(0);
  });

  test.serial('stay when other rules are kept', async () => {
    const rules = writeFile('kept-rules.txt', '"rent" -> uk-property\n');
    const { out } = await user.run('rules', rules);
    expect(out).toContain('1 line about columns');
    expect(user.rules()).toStartWith('"rent" -> uk-property\ncolumns in csv ');
  });
});

describe('nothing is kept', () => {
  test('without --keep, and the line is shown', async () => {
    const { rules, push, stored } = await withKept('--dry-run');
    expect(rules()).toBe('');
    const { err } = await push(list('kept-october.csv', ...OCTOBER), ...ANSWERS);
    expect(err).toContain('--keep keeps these columns for later files of the kind:\n  columns in csv ');
    expect([rules(), await stored()]).toEqual(['', ['uk-property null -6000']]);
  });

  test('in a file of --rules, which the person changes', async () => {
    const file = writeFile('own-rules.txt', '"rent" -> uk-property\n');
    const { first, rules } = await withKept('--rules', file);
    expect(first.err).toContain(
      `Add to ${file}, so that later files of the kind ask nothing:\n  columns in csv`,
    );
    expect([rules(), readFileSync(file, 'utf8')]).toEqual(['', '"rent" -> uk-property\n']);
  });

  test('of two files of one kind with different answers', async () => {
    const { push, rules, rulesFile } = await withKept('--dry-run');
    const files = [list('kept-a.csv', ...OCTOBER), list('kept-b.csv', ...NOVEMBER)] as const;
    const of = ['spent=Amount', 'amount=Amount'].flatMap((map, index) => ['--map', `${files[index]}:${map}`]);
    const values = ['--values', 'Ready: Yes=keep, No=skip', '--keep'];
    expect((await push(files[0], files[1], ...of, ...values)).exitCode).toBe(0);
    expect([rules(), existsSync(rulesFile)]).toEqual(['', false]);
  });
});

describe('--keep keeps the answers', () => {
  test('if the kept rules leave out every row, and gives no advice to use it', async () => {
    const { run, push, rules } = await withKept('--dry-run');
    await run('rules', writeFile('kept-left-out.txt', 'otherwise -> leave out\n'));
    const { exitCode, out, err } = await push(list('kept-out.csv', ...OCTOBER), ...ANSWERS, '--keep');
    expect([exitCode, out]).toEqual([0, expect.stringContaining('no entries to send')]);
    expect(err).toContain('Kept for later files of the kind:\n  columns in csv ');
    expect(err).not.toContain('--keep');
    expect(rules()).toMatch(/^otherwise -> leave out\ncolumns in csv /);
  });

  test('if the books have every entry', async () => {
    const { push, rules } = await withKept('--dry-run');
    const file = list('kept-known.csv', ...OCTOBER);
    await push(file, ...ANSWERS);
    expect(rules()).toBe('');
    const { exitCode, err } = await push(file, ...ANSWERS, '--keep');
    expect([exitCode, err]).toEqual([0, expect.stringContaining('Kept for later files of the kind')]);
    expect([rules(), err]).toEqual([expect.stringMatching(LINE), expect.not.stringContaining('--keep')]);
  });

  test('if the push fails', async () => {
    const { account, env, rules } = await withKept('--dry-run');
    await using proxy = await startProxy(({ method }) =>
      method === 'GET' ? 'pass' : failure(422, 'server_error'),
    );
    const args = ['push', list('kept-refused.csv', ...OCTOBER), '-s', 'uk-property', '--yes', ...ANSWERS];
    const on = { ...env, LEDGER_API_KEY: account.key, LEDGER_URL: proxy.url };
    expect(await runLedger([...args, '--keep'], { env: on })).toMatchObject({ exitCode: 1 });
    expect(rules()).toMatch(LINE);
  });
});

describe('on a terminal', () => {
  test('answers that the person keeps stay when the push stops at the daily cap', async () => {
    const { env, rules, account, stored } = await withKept('--dry-run');
    await use(account, ...Array(10).fill(500));
    const args = ['push', list('kept-capped.csv', ...OCTOBER), '-s', 'uk-property', '--no-wait', ...ANSWERS];
    const { shown, exitCode } = await runOnTerminal(args, { ...env, LEDGER_API_KEY: account.key }, [
      ['Send 1 entry', () => 'y\r'],
      ['Keep these columns', () => 'y\r'],
    ]);
    expect([exitCode, shown]).toEqual([4, expect.stringContaining('Kept for later files of the kind')]);
    expect([rules(), await stored()]).toEqual([expect.stringMatching(LINE), []]);
  });

  test('each question is asked, and the answers are kept if the person agrees', async () => {
    const { env, rules, account, stored } = await withKept('--dry-run');
    const args = ['push', list('kept-terminal.csv', ...OCTOBER), '-s', 'uk-property'];
    const on = { ...env, LEDGER_API_KEY: account.key };
    const { shown, exitCode } = await runOnTerminal(args, on, [
      ['"Yes" is', () => '4\r'],
      ['"No" is', () => '3\r'],
      ['Question 2 of 2', () => '4\r'],
      ['Send 1 entry', () => 'y\r'],
      ['Keep these columns', () => 'y\r'],
    ]);
    expect(exitCode).toBe(0);
    expect(shown).toContain('Kept for later files of the kind');
    expect(await stored()).toEqual(['uk-property null -6000']);
    expect(rules()).toMatch(LINE);
  });

  test('each column of amounts is asked, and a column of words gives the direction of an amount', async () => {
    const { env, account, stored } = await withKept('--dry-run');
    const on = { ...env, LEDGER_API_KEY: account.key };
    const push = (name: string, text: string, ...answers: Parameters<typeof runOnTerminal>[2] & object) =>
      runOnTerminal(['push', writeFile(name, text), '-s', 'uk-property'], on, [
        ...answers,
        ['[y/N]', () => 'y\r'],
        ['Keep these columns', () => 'n\r'],
      ]);
    const book =
      'Date,Details,Takings,Plumber\n2026-10-01,October,900.00,120.00\n2026-11-01,November,900.00,\n';
    const columns = await push(
      'book.csv',
      book,
      ['Question 1 of 1', () => '1\r'],
      ['\n"Plumber" has', () => '2\r'],
    );
    expect(columns).toEqual({ exitCode: 0, shown: expect.stringContaining('3 created') });
    const flows =
      'Date,Details,Amount,Category\n2026-12-01,a,800.00,periodAmount\n2026-12-02,b,30.00,repairsAndMaintenance\n2026-12-03,c,40.00,repairsAndMaintenance\n2026-12-04,d,700.00,periodAmount\n';
    const words = await push(
      'flows.csv',
      flows,
      ['Question 1 of 1', () => '6\r'],
      ['"periodAmount" is', () => '1\r'],
      ['"repairsAndMaintenance" is', () => '2\r'],
    );
    expect(words).toEqual({ exitCode: 0, shown: expect.stringContaining('4 created') });
    expect(await stored()).toEqual([
      'uk-property null -12000',
      ...['uk-property null 90000', 'uk-property null 90000'],
      ...['uk-property periodAmount 70000', 'uk-property periodAmount 80000'],
      ...['uk-property repairsAndMaintenance -3000', 'uk-property repairsAndMaintenance -4000'],
    ]);
  });

  test('an empty answer ends in the refusal, with the options', async () => {
    const { env, account } = await withKept('--dry-run');
    const args = ['push', list('kept-stopped.csv', ...OCTOBER), '-s', 'uk-property'];
    const on = { ...env, LEDGER_API_KEY: account.key };
    const { shown, exitCode } = await runOnTerminal(args, on, [['"Yes" is', () => '\r']]);
    expect([exitCode, shown]).toEqual([2, expect.stringContaining('--map spent=Amount')]);

    const book = writeFile('stopped.csv', 'Date,Details,Takings,Plumber\n2026-10-01,October,900.00,120.00\n');
    const amid = await runOnTerminal(['push', book, '-s', 'uk-property'], on, [
      ['Question 1 of 1', () => '1\r'],
      ['\n"Plumber" has', () => '\r'],
    ]);
    expect([amid.exitCode, amid.shown]).toEqual([2, expect.stringContaining("--amount 'Plumber=…'")]);
  });
});
