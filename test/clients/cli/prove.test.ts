/** `ledger prove`, and what `push` says of rows that are probably known and of balances: against the real service. */
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directory, newUser, writeFile } from './command.ts';

const RULES = 'description is "TRANSFER" -> leave out\notherwise -> uk-property / periodAmount\n';
const ROWS = ['2026-10-01,RENT A,900', '2026-10-02,TRANSFER,-500', '2026-10-03,RENT B,850'];
const file = (name: string, ...rows: string[]) =>
  writeFile(name, ['Date,Description,Amount', ...rows, ''].join('\n'));

/** A user with rules, whose configuration is their own. */
async function landlord(text = RULES) {
  const user = await newUser();
  const env = { XDG_CONFIG_HOME: mkdtempSync(join(directory, 'config-')) };
  const rules = writeFile(`prove-rules-${user.account.accountId}.txt`, text);
  const run = (...args: string[]) => user.run([...args, '--rules', rules], { env });
  return { ...user, run };
}

test('a file that was pushed is proved: what is in the books, and what which rule leaves out; the report is the same each time', async () => {
  const { run } = await landlord();
  const statement = file('prove.csv', ...ROWS);
  await run('push', statement, '--yes');
  const [one, two] = [join(directory, 'proof-1.json'), join(directory, 'proof-2.json')];
  const first = await run('prove', statement, '--report', one);
  expect([first.exitCode, first.out]).toEqual([
    0,
    expect.stringContaining('Proved: every row is accounted for.'),
  ]);
  await run('prove', statement, '--report', two);
  expect(readFileSync(two, 'utf8')).toBe(readFileSync(one, 'utf8'));
  const proof = JSON.parse(readFileSync(one, 'utf8'));
  expect(proof.counts).toEqual({ 'in the books': 2, 'left out': 1 });
  const bytes = readFileSync(statement);
  expect(proof.files[0].sha256).toBe(new Bun.CryptoHasher('sha256').update(bytes).digest('hex'));
  expect(proof.files[0].rows[1]).toMatchObject({
    row: 3,
    rule: { line: 1, text: 'description is "TRANSFER" -> leave out' },
  });
});

test('a row that is not in the books is missing, and an entry that no row is comes from elsewhere', async () => {
  const { run } = await landlord();
  await run('push', file('prove-some.csv', ...ROWS), '--yes');
  const other = file('prove-other.csv', ...ROWS.slice(0, 2), '2026-10-03,RENT C,12', '2026-10-04,RENT D,1');
  const { exitCode, out } = await run('prove', other);
  expect(exitCode).toBe(6);
  expect(out).toContain('Not proved: 2 rows missing.');
  expect(out).toMatch(/1 entry from 2026-10-01 to 2026-10-04 come[s]? from elsewhere/);
  // Alone it is no failure.
  const part = await run(
    'prove',
    file('prove-part.csv', ROWS[0] ?? '', ROWS[1] ?? '', '2026-10-05,TRANSFER,-1'),
  );
  expect([part.exitCode, part.out]).toEqual([0, expect.stringContaining('RENT B')]);
});

test('a row with another digit, which a rule then leaves out, is no proof: its entry, the rule and what to do are named', async () => {
  const { run, account } = await landlord('amount is 850 -> uk-property\notherwise -> leave out\n');
  await run('push', file('prove-digit.csv', ...ROWS), '--yes');
  const [entry] = await account.entries();
  const other = file('prove-digit-other.csv', ...ROWS.slice(0, 2), '2026-10-03,RENT B,950');
  const { exitCode, out } = await run('prove', other);
  expect([exitCode, out]).toEqual([
    6,
    expect.stringContaining('1 row left out, and an entry of the day has its description.'),
  ]);
  expect(out).toMatch(new RegExp(`950\\.00 +RENT B +line 2 entry ${entry?.id}`));
  expect(out).toContain('If the row was changed after the push, take the file from the bank again.');
  expect((await run('prove', file('prove-digit-zero.csv', '2026-10-03,RENT B,0'))).exitCode).toBe(6);
});

describe('a payment that the bank describes anew', () => {
  const NEW = ['2026-10-02,FPI RENT A REF 7,900', '2026-10-03,RENT B,850', '2026-10-09,RENT E,40'];

  async function changed() {
    const user = await landlord();
    await user.run('push', file('probable-1.csv', ...ROWS), '--yes');
    return { ...user, statement: file('probable-2.csv', ...NEW) };
  }

  test('is probably known: nothing is sent before a person decides', async () => {
    const { run, account, statement } = await changed();
    const { exitCode, err, out } = await run('push', statement, '--yes');
    expect([exitCode, out]).toEqual([
      8,
      expect.stringContaining('Nothing was sent. Are these rows the stored entries?'),
    ]);
    expect(err).toMatch(/2 +900\.00 +2026-10-02 +FPI RENT A REF 7 +2026-10-01 +RENT A/);
    expect(await account.entries()).toHaveLength(2);
  });

  test('is taken for known, or sent as a payment of its own', async () => {
    const { run, account, statement } = await changed();
    const left = await run('push', statement, '--leave-probable', '--yes', '--json');
    expect([left.exitCode, left.json().created]).toEqual([0, 1]);
    expect((await run('prove', statement)).exitCode).toBe(6);
    expect((await run('prove', statement, '--leave-probable')).exitCode).toBe(0);
    const sent = await run('push', statement, '--send-probable', '--yes', '--json');
    expect([sent.exitCode, sent.json().created]).toEqual([0, 1]);
    expect(await account.entries()).toHaveLength(4);
  });
});

describe('balances', () => {
  const HEADER = 'Date,Description,Amount,Balance';
  const JUNE = [
    '2026-06-01,RENT A,900.00,1900.00',
    '2026-06-02,RENT B,40.00,1940.00',
    '2026-06-03,RENT C,1.00,1941.00',
  ];
  const balanced = (name: string, rows: readonly string[]) =>
    writeFile(name, [HEADER, ...rows, ''].join('\n'));

  test('say which row is missing: a warning of a push, and no proof', async () => {
    const { run } = await landlord();
    const statement = balanced('balances.csv', [JUNE[0] ?? '', JUNE[2] ?? '']);
    const pushed = await run('push', statement, '--yes');
    expect([pushed.exitCode, pushed.err]).toEqual([
      0,
      expect.stringContaining('Row 3 does not follow from row 2: 40.00 is missing.'),
    ]);
    const proved = await run('prove', statement);
    expect([proved.exitCode, proved.out]).toEqual([6, expect.stringContaining('1 balance does not follow')]);
  });

  test('go on from the last statement of the account that was pushed', async () => {
    const { run } = await landlord();
    const label = ['--account-label', 'Joint', '--yes'];
    await run('push', balanced('june.csv', JUNE), ...label);
    const july = (opening: string) => balanced(`july-${opening}.csv`, [`2026-07-01,RENT D,1.00,${opening}`]);
    expect((await run('push', july('1942.00'), ...label, '--dry-run')).err).not.toContain('missing');
    expect((await run('push', july('1982.00'), ...label, '--dry-run')).err).toContain('40.00 is missing');
  });
});
