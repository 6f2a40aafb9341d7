/** After a first mistake: a corrected file, rule or decision never stores a payment twice, and the command says what to change in the app. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from '../../fixtures/system.ts';
import { directory, landlord, newConfig, runOnTerminal, statementOf, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const RENT = '2026-10-01,RENT A,900.00';
const SHOP = '2026-10-02,SHOP,-12.99';
const TAX = '2026-10-03,COUNCIL TAX,-178.50';
const LAST = '2026-10-31,RENT B,850.00';
const ALL = 'otherwise -> uk-property';

/** A user who has pushed the rows by the rules `ALL`. */
async function prepared(...rows: string[]) {
  const user = await landlord(ALL);
  const { accountId } = user.account;
  const write = (...now: string[]) => statementOf(`statement-${accountId}.csv`, ...now);
  const statement = write(...rows);
  const run = (command: string, rules: string, ...args: string[]) => {
    writeFileSync(user.rules, `${rules}\n`);
    return user.run(command, statement, '--rules', user.rules, ...args);
  };
  const push = (rules = ALL, ...args: string[]) => run('push', rules, '--yes', ...args);
  expect((await push()).exitCode).toBe(0);
  /** `action, is, should be, reason` of each line. */
  const corrections = async (rules = ALL, ...args: string[]) => {
    const list = join(directory, `list-${accountId}.csv`);
    await run('reconcile', rules, '--corrections', list, ...args);
    return readFileSync(list, 'utf8').trimEnd().split('\r\n').slice(1);
  };
  const stored = async () =>
    (await user.account.entries()).map(({ amountPence }) => amountPence).sort((a, b) => a - b);
  const decisions = join(directory, `decisions-${accountId}.csv`);
  /** Says of the first question that both are payments. */
  const decide = () => writeFileSync(decisions, readFileSync(decisions, 'utf8').replace('\n,', '\nsend,'));
  return { ...user, statement, write, run, push, corrections, stored, decisions, decide };
}

describe('a row with a corrected amount', () => {
  async function corrected() {
    const user = await prepared(RENT, SHOP, LAST);
    user.write(RENT, '2026-10-02,SHOP,-129.90', LAST);
    return user;
  }

  test('is a question, and the list says what to change in the app', async () => {
    const user = await corrected();
    const { exitCode, err, out } = await user.push();
    expect([exitCode, err]).toEqual([8, expect.stringContaining('1 row is probably known or corrected')]);
    expect(out).toContain('--decide');
    expect(await user.stored()).toEqual([1_299, 85_000, 90_000]);
    const reconciled = await user.run('reconcile', ALL);
    expect([reconciled.exitCode, reconciled.out.includes('--corrections list.csv')]).toEqual([6, true]);
    expect(reconciled.out).toContain('Not reconciled: 1 row missing.');
    const change = /^change,uk-property,2026-10-02,SHOP,amount 12\.99,amount 129\.90,imp1-/;
    expect(await user.corrections()).toEqual([expect.stringMatching(change)]);

    // A person takes the row for the stored entry.
    const left = await user.push(ALL, '--leave-probable');
    expect(left).toMatchObject({
      exitCode: 5,
      out: expect.stringContaining('`ledger reconcile --corrections`'),
    });
    expect(await user.stored()).toEqual([1_299, 85_000, 90_000]);
    expect(await user.corrections(ALL, '--leave-probable')).toEqual([expect.stringMatching(change)]);

    // The app changes the entry.
    await sql`update ledger.entry set amount_pence = 12990 where account_id = ${user.account.accountId} and amount_pence = 1299`;
    expect(await user.corrections()).toEqual([]);
    // The entry has the reference of another row: a person says that it is this one.
    expect((await user.run('reconcile', ALL)).exitCode).toBe(6);
    expect((await user.run('reconcile', ALL, '--leave-probable')).exitCode).toBe(0);
  });

  test('is sent if a person decides that both are payments, and the decision is remembered', async () => {
    const user = await corrected();
    const decided = ['--decide', user.decisions];
    const asked = await user.push(ALL, ...decided);
    expect([asked.exitCode, asked.out]).toEqual([8, expect.stringContaining('has a line for each')]);
    user.decide();
    expect((await user.push(ALL, ...decided)).exitCode).toBe(0);
    expect(await user.stored()).toEqual([1_299, 12_990, 85_000, 90_000]);
    expect((await user.run('reconcile', ALL)).exitCode).toBe(6);
    // The file names no account: whether it has all payments of one is asked once.
    const asksAgain = await user.run('reconcile', ALL, ...decided);
    expect([asksAgain.exitCode, asksAgain.out]).toEqual([
      6,
      expect.stringContaining('1 entry is not proved'),
    ]);
    user.decide();
    const reconciled = await user.run('reconcile', ALL, ...decided);
    expect(reconciled).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('1 entry of the period has nothing to do with these files.'),
    });
  });
});

test('rows that a corrected rule leaves out are named with their amounts, and listed', async () => {
  const user = await prepared(RENT, TAX, LAST);
  const rules = `description contains "COUNCIL" -> leave out\n${ALL}`;
  const { exitCode, err } = await user.push(rules);
  expect(exitCode).toBe(0);
  expect(err).toContain('1 row is left out, and in the books:');
  expect(err).toContain('description contains "COUNCIL" -> leave out: 1 row, expense 178.50');
  const entries = [{ id: expect.any(String), type: 'expense', amountPence: 17_850 }];
  const { leftOutAndStored } = (await user.push(rules, '--json')).json();
  expect(leftOutAndStored).toEqual([{ row: 3, rule: 1, entries }]);
  const nothing = await user.push('otherwise -> leave out');
  expect(nothing.err).toContain('3 rows are left out, and in the books:');
  const [line, ...more] = await user.corrections(rules);
  expect(more).toEqual([]);
  expect(line).toStartWith('remove,uk-property,2026-10-03,COUNCIL TAX,"expense, 178.50",,imp1-');
  expect(line).toContain('The rule ""description contains ""COUNCIL"" -> leave out""');
});

test('a source that the rules have changed, and a row that they split in another way, are listed', async () => {
  const user = await prepared(RENT, TAX, LAST);
  const rules = [
    'description is "RENT A" -> self-employment',
    'description is "RENT B" -> uk-property / split: periodAmount 800, rest',
    ALL,
  ].join('\n');
  const { exitCode, out } = await user.push(rules);
  expect([exitCode, out]).toEqual([5, expect.stringContaining('ledger reconcile --corrections')]);
  expect(await user.corrections(rules)).toEqual([
    expect.stringMatching(/^move,uk-property,2026-10-01,RENT A,uk-property,self-employment,/),
    expect.stringMatching(/^change,uk-property,2026-10-31,RENT B,"amount 850.00, .*","amount 800.00, /),
  ]);
  expect(await user.corrections(ALL)).toEqual([]);
});

test('an amount that was wrong, by which a rule chose another source, and a date are one line', async () => {
  const user = await prepared(RENT, SHOP, LAST);
  user.write(RENT, '2026-10-03,SHOP,-129.90', LAST);
  const rules = `amount is 129.90 -> self-employment\n${ALL}`;
  const { exitCode, err } = await user.push(rules);
  expect([exitCode, err]).toEqual([8, expect.stringMatching(/stored in\n.*SHOP.* uk-property\n/)]);
  expect(await user.corrections(rules)).toEqual([
    expect.stringContaining(
      'move,uk-property,2026-10-02,SHOP,"uk-property, date 2026-10-02, amount 12.99","self-employment, date 2026-10-03, amount 129.90",',
    ),
  ]);
});

test('an entry like a row that is stored is a question of the reconciliation, and no more once a person says that both are payments', async () => {
  const user = await prepared(RENT, SHOP, LAST);
  await user.account.post([{ date: '2026-10-03', type: 'expense', amountPence: 250, description: 'SHOP' }]);
  expect(await user.corrections()).toEqual([expect.stringMatching(/^check,uk-property,2026-10-03,SHOP,/)]);
  const reconcile = () => user.run('reconcile', ALL, '--decide', user.decisions);
  expect((await reconcile()).exitCode).toBe(6);
  user.decide();
  expect(await user.corrections(ALL, '--decide', user.decisions)).toEqual([]);
  expect((await reconcile()).exitCode).toBe(0);
});

test('the rows of a file that went to the wrong source are listed', async () => {
  const { run } = await prepared(RENT, SHOP, LAST);
  const own = ['--no-rules', '-s', 'self-employment'];
  expect((await run('push', ALL, ...own, '--yes')).exitCode).toBe(2);
  const list = join(directory, 'wrong-list.csv');
  expect((await run('reconcile', ALL, ...own, '--corrections', list)).exitCode).toBe(6);
  const move = expect.stringMatching(/^move,uk-property,.*,uk-property,self-employment,/);
  expect(readFileSync(list, 'utf8').trimEnd().split('\r\n').slice(1)).toEqual(Array(3).fill(move));
});

describe('while the question is open,', () => {
  const answered = async (answer: (user: Awaited<ReturnType<typeof prepared>>) => unknown) => {
    const user = await prepared(RENT);
    user.write(RENT, SHOP, TAX, LAST);
    const yes = async () => {
      await answer(user);
      return 'y\r';
    };
    const args = ['push', user.statement, '--rules', user.rules];
    const env = { LEDGER_API_KEY: user.account.key, ...user.env };
    const ending = await runOnTerminal(args, env, [['[y/N]', yes]]);
    return { ...ending, stored: await user.stored() };
  };

  test('another push by other rules stores nothing twice: the rows go back to the user', async () => {
    const split = `description is "RENT B" -> uk-property / split: periodAmount 800, rest\n${ALL}`;
    const { shown, exitCode, stored } = await answered(({ push }) => push(split));
    expect(exitCode).toBe(8);
    expect(shown).toContain('The books have changed since they were shown: 1 entry was not sent (row 5)');
    expect(stored).toEqual([1_299, 5_000, 17_850, 80_000, 90_000]);
  });

  test('a row that waits for a decision comes before a reference that is taken: the command has to run again', async () => {
    const split = `description is "RENT B" -> uk-property / split: periodAmount 800, rest\n${ALL}`;
    const { shown, exitCode, stored } = await answered(async ({ push, account: { accountId } }) => {
      await push(split);
      await sql`update ledger.entry set entry_date = '2026-06-02', amount_pence = 700, description = 'TOOLS' where account_id = ${accountId} and amount_pence = 1299`;
    });
    expect(exitCode).toBe(8);
    expect(shown).toContain('The books have changed since they were shown: 1 entry was not sent (row 5)');
    expect(shown).toContain('1 entry is not stored: another entry has the reference.');
    expect(stored).toEqual([700, 5_000, 17_850, 80_000, 90_000]);
  });

  test('a file that changes is not sent', async () => {
    const { shown, stored } = await answered(({ write }) => write(RENT));
    expect(shown).toContain('has changed since it was read');
    expect(stored).toEqual([90_000]);
  });
});

test('the closing balances of two pushes at the same time are both kept', async () => {
  const users = [await landlord(ALL), await landlord(ALL)];
  const env = newConfig();
  const push = ({ ledger, rules }: (typeof users)[number], index: number) => {
    const rows = ['2026-10-01,A,1.00,11.00', '2026-10-02,B,1.00,12.00'].map(
      (row) => `${row},Account ${index}`,
    );
    const lines = ['Date,Description,Money in,Balance,Account', ...rows, ''];
    const file = writeFile(`closing-${index}.csv`, lines.join('\n'));
    return ledger(['push', file, '--rules', rules, '--yes'], { env });
  };
  expect((await Promise.all(users.map(push))).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const kept = join(env.XDG_CONFIG_HOME, 'bookkeeping-ledger/statements/default.json');
  expect(Object.keys(JSON.parse(readFileSync(kept, 'utf8'))).sort()).toEqual(['Account 0', 'Account 1']);
});
