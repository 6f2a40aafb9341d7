/** Seals: made by the worker, compared by `admin verify`, exported as anchors. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorker } from '../../local/system.ts';
import { atOnce } from '../fixtures/at-once.ts';
import { createDatabase } from '../fixtures/own-database.ts';
import { until } from '../fixtures/until.ts';
import { A, B, createOriginal, verify, verifyCopy } from './checked-database.ts';
import { run } from './command-line.ts';

setDefaultTimeout(120_000);

const DAY_MS = 86_400_000;
/** The day that ended `n` days before the last one that can be sealed. */
const day = (n: number) => new Date(Date.now() - (n + 2) * DAY_MS).toISOString().slice(0, 10);

/** Moves the id of entries to noon of a day. */
const age = (n: number, which: string) => `
  update ledger.entry set entry_id = overlay(overlay(entry_id::text placing '${hexOf(n).slice(0, 8)}' from 1) placing '${hexOf(n).slice(8)}' from 10)::uuid
   where ${which};`;
const hexOf = (n: number) => (Date.parse(day(n)) + DAY_MS / 2).toString(16).padStart(12, '0');

/** A pass. A call seals days of an account with at most two entries. */
const sealAs = (pass: string) => `
  do $$ declare v uuid[] := array(select account_id from ledger.account order by 1); begin
    while cardinality(v) > 0 loop v := v[1 + (ledger.seal_accounts(v, '${pass}', 2)).done:]; end loop; end $$;`;
const SEAL = sealAs(day(0));

let original: Awaited<ReturnType<typeof createOriginal>>;
let sealed: Awaited<ReturnType<typeof createDatabase>>;
const directory = mkdtempSync(join(tmpdir(), 'seals-'));

/** Of account A two entries have ids of one day, two of the next, one of the day after; those of the others have ids of the last day. */
beforeAll(async () => {
  original = await createOriginal();
  sealed = await createDatabase(original.name);
  await sealed.db.unsafe(`delete from ledger.idempotency_key;
    ${age(3, "external_ref in ('a', 'b')")} ${age(2, "description in ('x', 'y')")}
    ${age(0, 'category is not null')} ${age(1, `account_id = '${A}' and category is not null`)}
    ${SEAL}`);
  await sealed.db.end();
});
afterAll(async () => {
  await sealed?.drop();
  await original?.drop();
  rmSync(directory, { recursive: true });
});

const verifySealed = (statements: string, ...args: string[]) => verifyCopy(sealed.name, statements, args);
const ofA = `where account_id = '${A}'`;

test('each day with entries has a seal of its account, and a second pass makes none', async () => {
  const { db, drop } = await createDatabase(sealed.name);
  const seals = () =>
    db`select account_id as account, day, entries, total::integer, income::integer from ledger.seal order by 1, 2`;
  const before = await seals();
  expect(
    before.filter(({ account }) => account === A).map(({ day, entries, total }) => [day, entries, total]),
  ).toEqual([
    [day(3), 2, 2],
    [day(2), 2, 4],
    [day(0), 1, 5],
  ]);
  await db.unsafe(SEAL);
  expect(await seals()).toEqual(before);
  await drop();
});

test('an entry of the last two days, or with an id of the future, is not sealed, on any day of the pass', async () => {
  const { db, drop } = await createDatabase(original.name);
  await db.unsafe(`${age(-1, `account_id = '${A}'`)} ${age(-9, `account_id = '${B}'`)}`);
  for (const pass of [day(1), day(0), day(-1), day(-20)]) await db.unsafe(sealAs(pass));
  expect(await db`select from ledger.seal`).toHaveLength(0);
  await drop();
});

test.concurrent.each([
  ['nothing', ''],
  ['a sorted category', `update ledger.entry set category = 'otherIncome' where category is not null`],
  [
    'a renamed and a removed source',
    `update ledger.source set name = 'z' ${ofA}; select ledger.remove_source('${A}', gen_random_uuid(), 'a test', source_id) from ledger.source ${ofA}`,
  ],
  [
    'a restored account',
    `select ledger.delete_account('${A}', gen_random_uuid(), 'a test'); select ledger.restore_account('${A}', gen_random_uuid(), 'a test')`,
  ],
  [
    'an account in erasure',
    `select ledger.delete_account('${A}', gen_random_uuid(), 'a test'); select ledger.begin_erasure('${A}', gen_random_uuid(), 'a test'); select ledger.erase_some('${A}', 1)`,
  ],
  [
    'an erased account',
    `select ledger.delete_account('${A}', gen_random_uuid(), 'a test'); select ledger.begin_erasure('${A}', gen_random_uuid(), 'a test'); select ledger.erase_some('${A}', 1000)`,
  ],
])(
  'after %s the seals are right',
  atOnce(async (_, statements) => {
    expect(await verifySealed(statements)).toMatchObject({ exitCode: 0, facts: [] });
  }),
);

const differs = (n: number, stored: string) =>
  new RegExp(`^the seal of ${day(n)} has .*, and stored are ${stored}`);
const counters = (n: number) => `update ledger.source set transaction_count = transaction_count + ${n} ${ofA};
  update ledger.write_log set total = total + ${n}, created = created + ${n} ${ofA} and total = 5`;
const copied = (
  id: string,
) => `insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type)
  select account_id, ${id}, source_id, entry_date, 1, type from ledger.entry ${ofA} and external_ref = 'a'; ${counters(1)}`;

/** Of contents: no other row contradicts them. */
test.concurrent.each([
  [
    `update ledger.entry set amount_pence = 2 ${ofA} and external_ref = 'a'`,
    differs(3, '2 entries, income of 3 '),
  ],
  [
    `update ledger.entry set entry_date = '2025-04-06' ${ofA} and external_ref = 'a'`,
    differs(3, '2 entries, income of 2 '),
  ],
  [
    `update ledger.entry set type = 'expense' ${ofA} and external_ref = 'a'`,
    differs(3, '2 entries, income of 1 and expense of 1 '),
  ],
  [`update ledger.entry set description = 'z' ${ofA} and description = 'x'`, differs(2, '2 entries')],
  [`update ledger.entry set description = '' ${ofA} and external_ref = 'a'`, differs(3, '2 entries')],
  [
    `update ledger.entry set description = 'a', external_ref = null ${ofA} and external_ref = 'a'`,
    differs(3, '2 entries'),
  ],
  [`update ledger.entry set external_ref = 'z' ${ofA} and external_ref = 'a'`, differs(3, '2 entries')],
  [
    `update ledger.entry set description = case description when 'x' then 'y' else 'x' end ${ofA} and description in ('x', 'y')`,
    differs(2, '2 entries'),
  ],
  [
    `update ledger.entry set description = 'z' ${ofA} and category is not null`,
    differs(0, '1 entries, .*: entry [-0-9a-f]{36}$'),
  ],
  [`delete from ledger.entry ${ofA} and external_ref = 'a'; ${counters(-1)}`, differs(3, '1 entries')],
  [`delete from ledger.entry ${ofA} and description in ('x', 'y'); ${counters(-2)}`, differs(2, '0 entries')],
  [copied(`'${hexOf(3).slice(0, 8)}-${hexOf(3).slice(8)}-7000-8000-000000000000'`), differs(3, '3 entries')],
  [copied(`'00000000-0000-7000-8000-000000000000'`), differs(3, '3 entries')],
  [
    `update ledger.entry set entry_id = overlay(entry_id::text placing 'ffff' from 33)::uuid ${ofA} and external_ref = 'a'`,
    differs(3, '2 entries'),
  ],
  [age(2, `account_id = '${A}' and external_ref = 'a'`), differs(3, '1 entries'), differs(2, '3 entries')],
  [`update ledger.seal set income = 9 ${ofA} and day = '${day(3)}'`, differs(3, '2 entries')],
  [`update ledger.seal set entries = 9 ${ofA} and day = '${day(3)}'`, differs(3, '2 entries')],
  [
    `update ledger.seal set total = 9 ${ofA} and day = '${day(3)}'`,
    differs(3, '2 entries'),
    differs(2, '2 entries'),
  ],
  [
    `update ledger.seal set digest = sha256('z') ${ofA} and day = '${day(3)}'`,
    differs(3, '2 entries'),
    differs(2, '2 entries'),
  ],
  [
    `update ledger.seal set day = '${day(5)}' ${ofA} and day = '${day(3)}'`,
    differs(5, '0 entries'),
    differs(2, '4 entries'),
  ],
  [`delete from ledger.seal ${ofA} and day = '${day(2)}'`, differs(0, '3 entries')],
  [
    `update ledger.seal set account_id = '${B}' ${ofA} and day = '${day(2)}'`,
    differs(0, '3 entries'),
    differs(2, '0 entries'),
    differs(0, '1 entries'),
  ],
] as [string, ...RegExp[]][])(
  'after %s the seal is found',
  atOnce(async (statements, ...facts) => {
    const { exitCode, facts: found } = await verifySealed(statements);
    expect([exitCode, found]).toEqual([3, facts.map((fact) => expect.stringMatching(fact))]);
  }),
);

test('a worker makes one pass a day over all accounts, and logs the digest of its seals', async () => {
  const { url, db, drop } = await createDatabase(original.name);
  const logFile = join(directory, 'log');
  await db.unsafe(`${age(0, 'true')} update ledger.upkeep set last_pass = '-infinity'`);
  const log = () =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes('entries sealed'))
      .map((line) => JSON.parse(line));
  for (const _ of [1, 2]) {
    const worker = await startWorker({ databaseUrl: url, logFile });
    await until('the pass is made', () => log().length === 1);
    await worker.stop();
  }
  const [again] = await db`select ledger.begin_sealing(now()) as day`;
  expect(again).toEqual({ day: null });
  const { out } = await run(['seal', 'export'], undefined, { DATABASE_URL: url });
  const digests = out
    .trim()
    .split('\n')
    .map((line) => `${JSON.parse(line).digest}\n`);
  const digest = createHash('sha256').update(digests.join('')).digest('hex');
  expect(log()).toEqual([expect.objectContaining({ day: day(0), seals: 3, digest })]);
  await drop();
});

test('the role of the worker can neither insert, change nor remove a seal, and seals', async () => {
  const { db, drop } = await createDatabase(original.name);
  await db.unsafe(`${age(1, 'true')} set role ledger_worker; ${SEAL}`);
  expect(await db`select from ledger.seal`).toHaveLength(3);
  for (const statement of [
    'delete from ledger.seal',
    'update ledger.seal set entries = 1',
    `insert into ledger.seal select * from ledger.seal`,
  ])
    expect(await db.unsafe(statement).catch(({ message }) => message)).toContain('permission denied');
  await drop();
});

test('anchors find what was sealed again, and count up to a restore', async () => {
  const file = join(directory, 'anchors');
  const seal = (url: string, ...args: string[]) => run(['seal', ...args], undefined, { DATABASE_URL: url });
  const { url, db, drop } = await createDatabase(sealed.name);
  const first = (await seal(url, 'export')).out;
  expect(
    first
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).day),
  ).toEqual([3, 2, 0, 0, 0].map(day));
  writeFileSync(file, first);
  expect((await seal(url, 'export', '--after', file)).out).toBe('');
  expect(await verify(url, '--anchors', file)).toMatchObject({ exitCode: 0 });
  // Somebody changes an entry, and seals all again.
  await db.unsafe(
    `update ledger.entry set amount_pence = 2 ${ofA} and external_ref = 'a'; delete from ledger.seal ${ofA}; ${SEAL}`,
  );
  expect(await verify(url)).toMatchObject({ exitCode: 0 });
  const facts = async () =>
    JSON.parse((await verify(url, '--anchors', file)).out).findings.map(({ fact }: { fact: string }) => fact);
  expect(await facts()).toEqual([3, 2, 0].map((n) => `the seal of ${day(n)} differs from its anchor`));
  // A backup from before the last two seals.
  await db.unsafe(
    `delete from ledger.seal ${ofA} and day >= '${day(2)}'; delete from ledger.seal where account_id > '${A}'`,
  );
  expect(await facts()).toEqual([
    `the seal of ${day(3)} differs from its anchor`,
    ...[2, 0].map((n) => `the seal of ${day(n)} is not stored`),
    ...[0, 0].map((n) => `the seal of ${day(n)} is not stored`),
  ]);
  writeFileSync(file, (await seal(url, 'restored')).out, { flag: 'a' });
  expect(await facts()).toEqual([`the seal of ${day(3)} differs from its anchor`]);
  await db.unsafe(SEAL);
  writeFileSync(file, (await seal(url, 'export', '--after', file)).out, { flag: 'a' });
  expect(await facts()).toEqual([`the seal of ${day(3)} differs from its anchor`]);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(10);
  // Every row of an account, and of its actions.
  const TABLES = [
    'seal',
    'entry',
    'write_log',
    'account_of_key',
    'api_key',
    'source',
    'admin_action',
    'account',
  ];
  await db.unsafe(TABLES.map((table) => `delete from ledger.${table} where account_id = '${B}'`).join(';'));
  expect(await facts()).toEqual([
    `the seal of ${day(3)} differs from its anchor`,
    'the anchors have 1 seals of it, and it does not exist',
  ]);
  writeFileSync(file, 'x', { flag: 'a' });
  expect(await verify(url, '--anchors', file)).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('Line 11 of'),
  });
  await drop();
});
