/** The operator's command line: accounts, sources and keys. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { isWellFormedApiKey } from '../../proto/api-key.ts';
import { PLANS, VERSION } from '../../proto/domain.ts';
import { entry, type Json, send } from '../fixtures/client.ts';
import { UUID } from '../fixtures/expect-error.ts';
import { sql } from '../fixtures/system.ts';
import { json, run, runProcess } from './command-line.ts';

setDefaultTimeout(60_000);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const { accountId } = await json('account', 'create', '--plan', 'pro');
const { keyId, key } = await json('key', 'create', '--account', accountId);

const get = (path: string, apiKey = key) => send(path, { headers: { authorization: `Bearer ${apiKey}` } });
const sourcesOverHttp = async () => (await get('/api/v1/sources')).body.sources;
const newSource = (...options: string[]) =>
  json('source', 'create', '--account', accountId, '--type', 'uk-property', '--name', 'Flat', ...options);

test('--json is an option before and after the names of a command, and --version prints the version', async () => {
  const key = ['key', 'list', '--account', accountId];
  const expected = await run([...key, '--json']);
  expect(expected.exitCode).toBe(0);
  for (const at of [0, 1, 2]) expect(await run(key.toSpliced(at, 0, '--json'))).toEqual(expected);
  expect(await run(['--version'])).toEqual({ exitCode: 0, out: `${VERSION}\n`, err: '' });
});

describe('account', () => {
  test.each(Object.keys(PLANS))('create --plan %s creates an account with that plan', async (plan) => {
    const created = await json('account', 'create', '--plan', plan);
    expect(created).toEqual({ accountId: created.accountId, plan, createdAt: created.createdAt });
    expect(created.accountId).toMatch(UUID);
    expect(created.createdAt).toMatch(TIME);
  });

  test('set-plan changes the plan and the API access at once', async () => {
    const account = await json('account', 'create', '--plan', 'free');
    const { key: itsKey } = await json('key', 'create', '--account', account.accountId);
    expect((await get('/api/v1/me', itsKey)).body.error.code).toBe('upgrade_required');

    const changed = await json('account', 'set-plan', '--account', account.accountId, '--plan', 'firm');
    expect(changed).toEqual({ ...account, plan: 'firm' });
    expect((await get('/api/v1/me', itsKey)).body.plan).toBe('firm');
  });

  test('list has every account, oldest first, over several pages', async () => {
    const many = Array.from({ length: 501 }, () => Bun.randomUUIDv7());
    await sql`insert into ledger.account (account_id, plan) select unnest(${`{${many.join()}}`}::uuid[]), 'free'`;
    const last = await json('account', 'create', '--plan', 'expat');

    const listed = await json('account', 'list');
    const kept = await sql`select account_id from ledger.account order by account_id`;
    expect(listed.map((account: Json) => account.accountId)).toEqual(kept.map((row) => row.account_id));
    expect(listed).toContainEqual(last);
  });
});

describe('source', () => {
  test('create creates a source that the API shows, with role owner and share 100 by default', async () => {
    const { accountId: owner, createdAt, ...created } = await newSource('--name', '12 Acacia Avenue');
    expect([owner, createdAt]).toEqual([accountId, expect.stringMatching(TIME)]);
    expect(created).toEqual({
      id: expect.stringMatching(UUID),
      name: '12 Acacia Avenue',
      type: 'uk-property',
      role: 'owner',
      sharePercent: 100,
      transactionCount: 0,
    });
    expect(await sourcesOverHttp()).toContainEqual({ ...created, countryCode: null });
  });

  test('create takes country, role and share, and accepts a lower-case country', async () => {
    const options = ['--type', 'foreign-property', '--country', 'pt', '--role', 'sharer', '--share', '33.5'];
    const created = await newSource(...options);
    const shown = { type: 'foreign-property', countryCode: 'PT', role: 'sharer', sharePercent: 33.5 };
    expect(created).toMatchObject(shown);
    expect(await sourcesOverHttp()).toContainEqual(expect.objectContaining({ id: created.id, ...shown }));
  });

  test('rename changes the name, in the API too', async () => {
    const created = await newSource();
    const name = 'Zweitwohnung "Süd" 🏠';
    expect(await json('source', 'rename', '--id', created.id, '--name', name)).toEqual({ ...created, name });
    expect(await sourcesOverHttp()).toContainEqual(expect.objectContaining({ id: created.id, name }));
  });

  test('remove hides a source from the API and lists it as removed; its entries stay, and repeating it changes nothing', async () => {
    const { id } = await newSource();
    const path = `/api/v1/sources/${id}/transactions`;
    const headers = { authorization: `Bearer ${key}` };
    const posted = await send(path, { method: 'POST', headers, body: JSON.stringify(entry()) });
    expect(posted.status).toBe(201);

    const removed = await json('source', 'remove', '--id', id);
    expect(removed.removedAt).toMatch(TIME);
    expect(JSON.stringify(await sourcesOverHttp())).not.toContain(id);
    expect((await get(path)).body.error.code).toBe('source_not_found');
    expect(await json('source', 'remove', '--id', id)).toEqual(removed);
    expect(await json('source', 'list', '--account', accountId)).toContainEqual(removed);
    expect(removed.transactionCount).toBe(1);
  });

  test('list has every source, oldest first', async () => {
    const account = await json('account', 'create', '--plan', 'pro');
    expect(await json('source', 'list', '--account', account.accountId)).toEqual([]);
    const created = [];
    for (const name of ['first', 'second']) {
      created.push(await newSource('--account', account.accountId, '--name', name));
    }
    expect(await json('source', 'list', '--account', account.accountId)).toEqual(created);
  });
});

describe('key', () => {
  test('create prints a key of the documented shape, which works at once', async () => {
    expect(await json('key', 'create', '--account', accountId)).toEqual({
      keyId: expect.stringMatching(UUID),
      key: expect.stringMatching(/^ledger_live_[0-9A-Za-z]{27}[0-9A-Za-z]{6}$/),
      readOnly: false,
    });
    expect(isWellFormedApiKey('ledger', key)).toBe(true);
    const me = await get('/api/v1/me');
    expect([me.status, me.body.accountId]).toEqual([200, accountId]);
  });

  test('create --account - creates a key for each line of standard input, and prints each before the next', async () => {
    const other = (await json('account', 'create', '--plan', 'pro')).accountId;
    const missing = Bun.randomUUIDv7();
    // As editors write it: its last line ends, and blank lines are no ids.
    const lines = [accountId, other, '', missing, other, ''];
    const { exitCode, out, err } = await runProcess(['key', 'create', '--account', '-'], lines.join('\n'));
    const created = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(created.map((row) => row.accountId)).toEqual([accountId, other]);
    for (const row of created) {
      expect((await get('/api/v1/me', row.key)).body.accountId).toBe(row.accountId);
    }
    const error = `error: line 4, after which nothing was created: no account ${missing}\n`;
    expect([exitCode, err]).toEqual([1, error]);
    expect(await json('key', 'list', '--account', other)).toHaveLength(1);
  });

  test('create --read-only creates a key that reads and cannot write, and the list and the log say so', async () => {
    const created = await json('key', 'create', '--account', accountId, '--read-only');
    expect(created.readOnly).toBe(true);
    const { capabilities } = (await get('/api/v1/me', created.key)).body;
    expect(capabilities).toMatchObject({ readBookkeeping: true, writeBookkeeping: false });
    const keys = await json('key', 'list', '--account', accountId);
    expect(keys.find((each: { keyId: string }) => each.keyId === created.keyId).readOnly).toBe(true);
    const { rows } = await json('log', '--account', accountId, '--limit', '1');
    expect(rows).toMatchObject([{ action: 'key create', details: { keyId: created.keyId, readOnly: true } }]);
    const many = await runProcess(['key', 'create', '--read-only', '--account', '-'], accountId);
    expect(JSON.parse(many.out)).toMatchObject({ accountId, readOnly: true });
  });

  test('the key is printed once: no list has it', async () => {
    const secret = key.slice('ledger_live_'.length);
    const listed = await run(['key', 'list', '--account', accountId]);
    const listedAsJson = await json('key', 'list', '--account', accountId);
    expect(listed.out).toContain(keyId);
    expect(listed.out).not.toContain(secret);
    expect(listedAsJson).toContainEqual({
      keyId,
      accountId,
      createdAt: expect.stringMatching(TIME),
      readOnly: false,
    });
    expect(JSON.stringify(listedAsJson)).not.toContain(secret);
  });

  test('revoke stops the key at once and marks it as revoked; repeating it changes nothing', async () => {
    const created = await json('key', 'create', '--account', accountId);
    expect((await get('/api/v1/me', created.key)).status).toBe(200);

    const revoked = await json('key', 'revoke', '--id', created.keyId);
    const rejected = await get('/api/v1/me', created.key);
    expect([rejected.status, rejected.body.error.code]).toEqual([401, 'invalid_key']);
    expect(revoked).toEqual({
      keyId: created.keyId,
      accountId,
      createdAt: expect.stringMatching(TIME),
      revokedAt: expect.stringMatching(TIME),
      readOnly: false,
    });
    expect(await json('key', 'revoke', '--id', created.keyId)).toEqual(revoked);
    expect(await json('key', 'list', '--account', accountId)).toContainEqual(revoked);
    expect((await get('/api/v1/me')).status).toBe(200);
  });
});
