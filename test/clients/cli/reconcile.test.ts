/** `ledger reconcile`, and what `push` says of rows that are probably known and of balances: against the real service. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typedRows } from '../typed-rows.ts';
import { directory, statementOf as file, landlord, newConfig } from './command.ts';

setDefaultTimeout(60_000);

const RULES = 'description is "TRANSFER" -> leave out\notherwise -> uk-property / periodAmount\n';
const ROWS = ['2026-10-01,RENT A,900', '2026-10-02,TRANSFER,-500', '2026-10-03,RENT B,850'];
const sha256Of = (path: string) => new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex');

/** Each of their commands has the rules. */
async function prepared(text = RULES) {
  const user = await landlord(text);
  /** In another configuration. */
  const again = (args: string[], other: Record<string, string>) =>
    user.ledger([...args, '--rules', user.rules], { env: other });
  const run = (...args: string[]) => again(args, user.env);
  return { ...user, run, again };
}

test('a file that was pushed is reconciled: what is in the books, and what which rule leaves out; the report is the same each time', async () => {
  const { run } = await prepared();
  const statement = file('reconcile.csv', ...ROWS);
  await run('push', statement, '--yes');
  const [one, two] = [join(directory, 'reconciliation-1.json'), join(directory, 'reconciliation-2.json')];
  const { exitCode, out } = await run('reconcile', statement, '--report', one);
  expect([exitCode, out]).toEqual([0, expect.stringContaining('Reconciled: every row is accounted for.')]);
  await run('reconcile', statement, '--report', two);
  expect(readFileSync(two, 'utf8')).toBe(readFileSync(one, 'utf8'));
  const result = JSON.parse(readFileSync(one, 'utf8'));
  expect(result.counts).toEqual({ 'in the books': 2, 'left out': 1 });
  expect(result.files[0].sha256).toBe(sha256Of(statement));
});

test('a row that is not in the books is missing; whether a file without an account has all entries of its days is asked once', async () => {
  const { run } = await prepared();
  await run('push', file('reconcile-some.csv', ...ROWS), '--yes');
  const other = file('reconcile-other.csv', ...ROWS.slice(0, 2), '2026-10-04,RENT D,1');
  const { exitCode, out } = await run('reconcile', other);
  expect([exitCode, out]).toEqual([
    6,
    expect.stringContaining('Not reconciled: 1 row missing, 1 entry that no row is.'),
  ]);
  const rows = file('reconcile-part.csv', ROWS[0] ?? '', '2026-10-05,TRANSFER,-1');
  const decisions = join(directory, 'reconcile-part-decisions.csv');
  const part = () => run('reconcile', rows, '--decide', decisions);
  expect((await part()).exitCode).toBe(6);
  const asked = readFileSync(decisions, 'utf8');
  expect(asked).toContain('Does the file have all payments of its account? It lacks 1 of the books.');
  writeFileSync(decisions, asked.replace('\n,', '\nleave,'));
  expect((await part()).out).toContain('has all payments of its account on this day, and not this one.');
  writeFileSync(decisions, asked.replace('\n,', '\nsend,'));
  const own = await part();
  expect([own.exitCode, own.out]).toEqual([0, expect.stringContaining('RENT B')]);
  expect(own.out).toContain('1 entry from 2026-10-01 to 2026-10-05 is of no file here');
});

test('a row with another digit, which a rule then leaves out, is named with its entry, the rule and what to do', async () => {
  const { run, account } = await prepared('amount is 850 -> uk-property\notherwise -> leave out\n');
  await run('push', file('reconcile-digit.csv', ...ROWS), '--yes');
  const [entry] = await account.entries();
  const other = file('reconcile-digit-other.csv', ...ROWS.slice(0, 2), '2026-10-03,RENT B,950');
  const { exitCode, out } = await run('reconcile', other);
  expect(exitCode).toBe(6);
  expect(out).toContain('1 row left out, and an entry of the day has its description.');
  expect(out).toMatch(new RegExp(`950\\.00 +RENT B +rule "[^"]+" entry ${entry?.id}`));
  expect(out).toContain('If the row was changed after the push, take the file from the bank again.');
});

test('a payment that the bank describes anew waits for a person, who takes it for known, or sends it', async () => {
  const { run, account } = await prepared();
  await run('push', file('probable-1.csv', ...ROWS), '--yes');
  const rows = ['2026-10-02,FPI RENT A REF 7,900', '2026-10-03,RENT B,850', '2026-10-09,RENT E,40'];
  const statement = file('probable-2.csv', ...rows);
  const { exitCode, err, out } = await run('push', statement, '--yes');
  expect([exitCode, out]).toEqual([
    8,
    expect.stringContaining('Nothing was sent. Are these rows the stored entries?'),
  ]);
  expect(err).toMatch(/2 +900\.00 +2026-10-02 +FPI RENT A REF 7 +2026-10-01 +900\.00 +RENT A/);
  expect(await account.entries()).toHaveLength(2);
  expect((await run('push', statement, '--leave-probable', '--yes')).exitCode).toBe(0);
  expect(await account.entries()).toHaveLength(3);
  expect((await run('reconcile', statement)).exitCode).toBe(6);
  expect((await run('reconcile', statement, '--leave-probable')).exitCode).toBe(0);
  expect((await run('push', statement, '--send-probable', '--yes')).exitCode).toBe(0);
  expect(await account.entries()).toHaveLength(4);
});

describe('balances', () => {
  const HEADER = 'Date,Description,Amount,Balance';
  const JUNE = [
    '2026-06-01,RENT A,900.00,-100.00',
    '2026-06-02,RENT B,40.00,-60.00',
    '2026-06-03,RENT C,1.00,-59.00',
  ];
  let count = 0;
  const path = (extension: string) => join(directory, `balances-${++count}.${extension}`);
  const balanced = (...rows: string[]) => {
    const file = path('csv');
    writeFileSync(file, [...typedRows(HEADER, rows), ''].join('\n'));
    return file;
  };
  /** The statement after June, if its balance is -58.00. */
  const july = (closing: string) => balanced(`2026-07-01,RENT D,1.00,${closing}`);
  /** A spreadsheet would execute the name. */
  const LABEL = ['--account-label', '=Joint'];

  /** A user who pushed and reconciled June, the reports of both, and a configuration without closing balances. */
  async function afterJune() {
    const user = await prepared();
    const [june, pushed, reconciled] = [balanced(...JUNE), path('csv'), path('json')];
    await user.run('push', june, ...LABEL, '--yes', '--report', pushed);
    expect((await user.run('reconcile', june, ...LABEL, '--report', reconciled)).exitCode).toBe(0);
    const env = newConfig();
    const run = (...args: string[]) => user.again([...args, ...LABEL], env);
    return { ...user, run, env, june, pushed, reconciled };
  }

  test('say which row is missing: a warning of a push; the file is not reconciled', async () => {
    const { run } = await prepared();
    const statement = balanced(JUNE[0] ?? '', JUNE[2] ?? '');
    const pushed = await run('push', statement, '--yes');
    expect(pushed.exitCode).toBe(0);
    expect(pushed.err).toContain('Row 3 does not follow from row 2: 40.00 is missing.');
    const reconciled = await run('reconcile', statement);
    expect(reconciled).toMatchObject({
      exitCode: 6,
      out: expect.stringContaining('1 balance does not follow'),
    });
  });

  test.each(['pushed', 'reconciled'] as const)(
    'go on from the report of the file that was %s, on a machine that has nothing else',
    async (kind) => {
      const { run, [kind]: previous } = await afterJune();
      const preview = (closing: string) => run('push', july(closing), '--dry-run', '--previous', previous);
      expect((await preview('-58.00')).err).toContain('where the last file of the account ended.');
      expect((await preview('-18.00')).err).toContain('40.00 is missing');
      await run('push', july('-18.00'), '--yes');
      const report = path('json');
      const result = await run('reconcile', july('-18.00'), '--previous', previous, '--report', report);
      expect(result).toMatchObject({
        exitCode: 6,
        out: expect.stringContaining('1 balance does not follow'),
      });
      expect(JSON.parse(readFileSync(report, 'utf8')).previous).toEqual({ sha256: sha256Of(previous) });
      const { out } = await run('reconcile', july('-18.00'));
      expect(out).toContain('No earlier file of this account is known.');
    },
  );

  test('go on from that report before what is kept of its account; what is kept of other accounts stays', async () => {
    const { pushed, again, env } = await afterJune();
    const push = (...args: string[]) => again(['push', ...args], env);
    await push(july('-18.00'), ...LABEL, '--yes');
    await push(balanced('2026-06-30,RENT X,7.00,50.00'), '--account-label', 'Other', '--yes');
    expect((await push(july('-58.00'), ...LABEL, '--dry-run')).err).toContain('-40.00 is missing');
    const { err } = await push(july('-58.00'), ...LABEL, '--yes', '--previous', pushed);
    expect(err).toContain('where the last file of the account ended.');
    const kept = join(env.XDG_CONFIG_HOME, 'bookkeeping-ledger/statements/default.json');
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({
      '=Joint': { date: '2026-07-01', pence: -5_800 },
      Other: { date: '2026-06-30', pence: 5_000 },
    });
  });

  test('go on from the balance in the kept rules, which another device has written, and are kept in them', async () => {
    const { ledger, env } = await afterJune();
    const rules = path('txt');
    writeFileSync(rules, 'otherwise -> uk-property\nbalance of "=Joint" on 2026-06-03: -59.00\n');
    await ledger(['rules', rules], { env });
    const { err } = await ledger(['push', july('-58.00'), ...LABEL, '--yes'], { env });
    expect(err).toContain('It goes on from -59.00 of 2026-06-03, where the last file of the account ended.');
    const kept = join(env.XDG_CONFIG_HOME, 'bookkeeping-ledger/rules/default.txt');
    expect(readFileSync(kept, 'utf8')).toBe(
      'otherwise -> uk-property\nbalance of "=Joint" on 2026-07-01: -58.00\n',
    );
  });

  test('in a report that is damaged, of another kind, not there, or to be written over: nothing is sent', async () => {
    const { run, account, june, pushed, reconciled } = await afterJune();
    // A push that was not done.
    const dry = path('csv');
    await run('push', june, '--dry-run', '--report', dry);
    const replaced = (of: string, by: string) => (text: string) => text.replaceAll(of, by);
    for (const [report, change, message] of [
      // It is cut, at its end and before a balance.
      [pushed, (text) => text.slice(0, -9), 'is damaged'],
      [pushed, (text) => text.slice(0, text.lastIndexOf(",'=Joint")), 'is damaged'],
      [reconciled, (text) => text.slice(0, -9), 'is damaged'],
      // A date or an amount has another form.
      [pushed, replaced('2026-06-03', '03/06/2026'), 'is damaged'],
      [pushed, replaced('-59.00', '-59'), 'is damaged'],
      [reconciled, replaced('-5900', '"-59"'), 'is damaged'],
      [reconciled, replaced('"files"', '"file"'), 'is damaged'],
      [
        reconciled,
        replaced('"isReconciled": true', '"isReconciled": false'),
        'is of files that are not reconciled',
      ],
      [pushed, replaced('status', 'state'), 'is not the report'],
      [reconciled, () => '{"created": 3, "balances": []}', 'is not the report'],
      [pushed, () => '', 'is not the report'],
      [reconciled, replaced('"account": "=Joint"', '"account": ""'), 'has no closing balances'],
      [dry, (text) => text, 'has no closing balances'],
    ] as [string, (text: string) => string, string][]) {
      const changed = path(report === reconciled ? 'json' : 'csv');
      writeFileSync(changed, change(readFileSync(report, 'utf8')));
      const { exitCode, err } = await run('push', july('-58.00'), '--yes', '--previous', changed);
      expect([exitCode, err]).toEqual([2, expect.stringContaining(`${changed} ${message}`)]);
    }
    const none = await run('reconcile', july('-58.00'), '--previous', path('csv'));
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('there is no such file')]);
    const before = readFileSync(pushed, 'utf8');
    const over = await run('push', july('-58.00'), '--yes', '--previous', pushed, '--report', pushed);
    expect([over.exitCode, readFileSync(pushed, 'utf8')]).toEqual([2, before]);
    expect(await account.entries()).toHaveLength(3);
  });
});
