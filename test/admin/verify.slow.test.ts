/** `admin verify`: a right database has no finding, and every damage has one. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../ledger-worker/database/migrate.ts';
import { blocksUnder } from '../deploy/runbook.ts';
import { atOnce } from '../fixtures/at-once.ts';
import { ROOT } from '../fixtures/checkout.ts';
import type { Json } from '../fixtures/client.ts';
import { createDatabase } from '../fixtures/own-database.ts';
import { sql } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { A, B, C, createOriginal, verify, verifyCopy } from './checked-database.ts';
import { run } from './command-line.ts';
import { DAMAGES, DELETED, TABLES, UNNOTICED } from './damages.ts';

setDefaultTimeout(120_000);

let original: Awaited<ReturnType<typeof createOriginal>>;
beforeAll(async () => {
  original = await createOriginal();
});
afterAll(() => original?.drop());

const verifyAfter = (statements: string, ...args: string[]) => verifyCopy(original.name, statements, args);

const WHOLE = { result: 'right', findings: [], accounts: 3, entries: 7, notChecked: [] };

test('a database that is right has no finding, and the exit code is 0', async () => {
  const { exitCode, report, err } = await verifyAfter('');
  expect([exitCode, report]).toEqual([0, { ...WHOLE, indexes: expect.any(Number) }]);
  expect(report.indexes).toBeGreaterThan(12);
  expect(err).toContain('{"progress":"the index entry_pkey"}\n');
});

describe('nothing is found in a right database:', () => {
  const ERASING = `update ledger.account set deleted_at = now() where account_id = '${A}';
                   select ledger.begin_erasure('${A}', gen_random_uuid(), 'a test'); select ledger.erase_some('${A}', 1)`;
  const EXPIRED =
    "update ledger.write_log set write_id = gen_random_uuid(), written_at = written_at - interval '3 days'";
  const OLD = `${EXPIRED} where account_id = '${A}' and total < 5;
               update ledger.idempotency_key set used_at = used_at - interval '3 days';
               select ledger.delete_expired('${A}', interval '48 hours', interval '24 hours', 1000)`;
  test.concurrent.each([
    ['after retention', OLD, {}],
    [
      'another pass of retention has left a gap in the rows that expire',
      `${EXPIRED}; delete from ledger.write_log where total = 4`,
      {},
    ],
    ['an account is being erased', ERASING, { accounts: 2, entries: 2 }],
    [
      'an account is erased',
      `${ERASING}; select ledger.erase_some('${A}', 1000)`,
      { accounts: 2, entries: 2 },
    ],
    [
      'an operator has added an index, a former version has left a function, and Citus has a table for a shard',
      `create index on ledger.entry (entry_date);
      create function ledger.former() returns void language sql as ''; select ledger.grant_to_worker();
      create table ledger.entry_102008 (account_id uuid); insert into ledger.entry_102008 values (gen_random_uuid())`,
      {},
    ],
    [
      'the extension amcheck is not there: the report says so',
      'drop extension amcheck',
      { indexes: 0, notChecked: [expect.stringContaining('create extension amcheck')] },
    ],
  ])(
    '%s',
    atOnce(async (_, statements, expected) => {
      const { exitCode, report } = await verifyAfter(statements);
      expect([exitCode, report]).toEqual([0, { ...WHOLE, indexes: expect.any(Number), ...expected }]);
    }),
  );
});

test.concurrent.each(DAMAGES)(
  'after %s each fact is found, and the exit code is 3',
  atOnce(async (statements, ...facts) => {
    const found = await verifyAfter(statements);
    expect(found.facts).toEqual(facts.map((fact) => expect.stringMatching(fact)));
    expect([found.exitCode, found.report.result, found.report.notChecked]).toEqual([3, 'wrong', []]);
    for (const { check, accountId, remedy } of found.report.findings) {
      expect([undefined, A, B]).toContain(accountId);
      expect([accountId === undefined, remedy]).toEqual([check === 'schema', expect.stringMatching(/\.$/)]);
    }
  }),
);

test('a damage that no other row contradicts is on the list of the page', async () => {
  const { url, db, drop } = await createDatabase(original.name);
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').replace(/\s+/g, ' ');
  const [, list = ''] = /### Changes that it cannot find (.*?) ## /.exec(page) ?? [];
  for (const [words, statement] of UNNOTICED) {
    await db.unsafe(statement);
    const { out } = await verify(url, '--account', A);
    expect([words, JSON.parse(out).findings]).toEqual([words, []]);
    expect(list).toContain(words);
  }
  await drop();
});

test('the report is lines of text too, and the remedy for a dropped function works', async () => {
  const { url, db, drop } = await createDatabase(original.name);
  await db`drop function ledger.require_writable`;
  const { exitCode, out, err } = await run(['verify'], undefined, { DATABASE_URL: url });
  const [first = '', , last, ...more] = out.split('\n');
  expect([exitCode, last, more]).toEqual([
    3,
    expect.stringMatching(/^wrong: 2 findings in 3 accounts, 7 entries, \d+ indexes$/),
    [''],
  ]);
  expect(first).toMatch(/^finding: the schema does not have .*\. Apply .*: `.*`, then `bun run migrate`\.$/);
  expect(err).toStartWith('the schema\n');
  await db.unsafe(/`(update [^`]+)`/.exec(first)?.[1] ?? '');
  await migrate(db);
  expect((await verify(url)).exitCode).toBe(0);
  await drop();
});

describe('only a part is checked:', () => {
  const COUNTERS = 'update ledger.source set transaction_count = 9';
  test.concurrent.each([
    [['--account', A], COUNTERS, [A], { accounts: 1, entries: 5, indexes: 0 }],
    [['--account', A], DELETED, [...TABLES, 'admin_action'].map(() => A), { accounts: 0, entries: 0 }],
    [['--after', A.toUpperCase()], COUNTERS, [B, C], { accounts: 2, entries: 2 }],
  ])(
    '%j, after %s: findings of %j',
    atOnce(async (args, statements, accounts, expected) => {
      const { exitCode, report } = await verifyAfter(statements, ...args);
      expect([exitCode, report]).toMatchObject([3, expected]);
      expect(report.findings.map(({ accountId }: Json) => accountId)).toEqual(accounts);
      expect(report).not.toHaveProperty('next');
    }),
  );

  test('a check that is stopped prints where the next one continues', async () => {
    const { url, db, drop } = await createDatabase(original.name);
    await db.unsafe('begin; lock table ledger.entry');
    const command = [process.execPath, 'admin/main.ts', 'verify', '--json', '--after', B];
    const env = { ...process.env, DATABASE_URL: url };
    const child = Bun.spawn(command, { cwd: ROOT, env, stdout: 'pipe', stderr: 'ignore' });
    const waiting = `select from pg_stat_activity where application_name = 'ledger-verify' and wait_event_type = 'Lock'`;
    await until('the check waits for the table', async () => (await sql.unsafe(waiting)).length === 1);
    child.kill('SIGINT');
    const report = JSON.parse(await child.stdout.text());
    const nothing = { findings: [], accounts: 0, entries: 0, indexes: 0 };
    const stopped = { result: 'incomplete', notChecked: ['The check was stopped.'], next: B };
    expect([await child.exited, report]).toEqual([1, { ...nothing, ...stopped }]);
    await db`rollback`;
    await drop();
  });
});

describe('what cannot be checked is named, and the exit code is 1:', () => {
  const NOBODY = A.replace('a', 'd');
  const FAILING = `alter table ledger.entry rename to entries;
    create view ledger.entry as select * from ledger.entries where account_id <> '${B}' or 1 / (amount_pence - amount_pence) = 0`;
  const WRITING = `alter table ledger.entry rename to entries;
    create function ledger.writes() returns boolean language sql as 'delete from ledger.upkeep returning true';
    create view ledger.entry as select * from ledger.entries where ledger.writes()`;
  test.concurrent.each([
    ['a statement that would write', WRITING, [], 'read-only transaction', 0],
    ['a newer version', "insert into ledger.migration values (9999, 'x')", [], 'is of a newer version', 0],
    ['no schema', 'drop schema ledger cascade', [], 'has no schema', 0],
    ['an unknown account', '', ['--account', NOBODY], 'There is no account 00000000-', 0],
    [
      '… in a damaged schema',
      'drop index ledger.source_by_id',
      ['--account', NOBODY],
      'There is no account',
      0,
    ],
    ['a statement that fails: the next check begins with its account', FAILING, [], 'division by zero', A],
  ])(
    '%s',
    atOnce(async (_, statements, args, text, next) => {
      const { exitCode, report } = await verifyAfter(statements, ...args);
      expect([report.notChecked, report.next ?? 0]).toEqual([[expect.stringContaining(text)], next]);
      expect([exitCode, report.result]).toEqual(
        report.findings.length > 0 ? [3, 'wrong'] : [1, 'incomplete'],
      );
    }),
  );

  test('the index, by a role of docs/deploying.md that only reads, until it has one more right', async () => {
    const { url, db, drop } = await createDatabase(original.name);
    const role = `verify_${Bun.randomUUIDv7().slice(-12)}`;
    const page = blocksUnder('deploying.md', 'Database roles').map(({ text }) => text);
    const commands =
      page.find((text) => text.includes('verify_login'))?.replaceAll('verify_login', role) ?? '';
    const [, create = '', grant = ''] = commands.split(';\n');
    await db.unsafe(create);
    const asRole = Object.assign(new URL(url), { username: role }).href;
    const { exitCode, out } = await verify(asRole);
    expect([exitCode, JSON.parse(out)]).toMatchObject([
      1,
      { result: 'incomplete', accounts: 3, findings: [] },
    ]);
    expect(JSON.parse(out).notChecked).toEqual([expect.stringContaining(`to ${role}\``)]);
    await db.unsafe(grant);
    expect((await verify(asRole)).exitCode).toBe(0);
    await db.unsafe(`drop owned by ${role}; drop role ${role}`);
    await drop();
  });

  test('without DATABASE_URL, or with one that leads to no database', async () => {
    const { DATABASE_URL: _, ...env } = process.env;
    const none = await run(['verify'], undefined, { ...env, DATABASE_URL: undefined });
    expect(none).toEqual({ exitCode: 1, out: '', err: expect.stringContaining('no DATABASE_URL') });
    for (const url of ['mysql://x/y', 'postgres://x@127.0.0.1:1/y']) {
      const { exitCode, out } = await verify(url);
      expect([exitCode, JSON.parse(out)]).toMatchObject([1, { notChecked: [expect.stringMatching(/\S/)] }]);
    }
    expect((await run(['verify', '--after', 'x'])).exitCode).toBe(2);
  });
});
