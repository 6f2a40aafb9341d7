/** The client library follows no redirect: the key and the entries would go to another service. Other reads: test/clients/python/. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as reader from '../../../clients/typescript/import/index.ts';
import * as library from '../../../clients/typescript/index.ts';
import { Ledger, type LedgerError } from '../../../clients/typescript/index.ts';
import { startProxy } from '../proxy.ts';

describe('a redirect', () => {
  const failureOf = (promise: Promise<unknown>): Promise<LedgerError> =>
    promise.then(
      () => expect.unreachable(),
      (error) => error,
    );

  test('is not followed: a read ends, a push is repeated at the same address', async () => {
    await using target = await startProxy();
    await using service = await startProxy(({ path }) => ({
      status: 307,
      body: '',
      headers: { location: target.url + path },
    }));
    const client = new Ledger({ url: service.url, apiKey: 'x' });
    const entry = { date: '2026-04-06', type: 'income', amountPence: 1 } as const;
    const read = await failureOf(client.me());
    expect([read.code, service.requests.length]).toEqual(['unexpected_response', 1]);
    const write = await failureOf(client.push('source', [entry]));
    expect([write.code, service.requests.length]).toEqual(['unknown_outcome', 5]);
    for (const { status, message } of [read, write]) {
      expect([status, message]).toEqual([307, expect.stringContaining(`redirects to ${target.url}, `)]);
    }
    expect(target.requests).toEqual([]);
  });

  test('is one too in a browser, which shows neither its status nor its target', async () => {
    const opaque = { type: { value: 'opaqueredirect' }, status: { value: 0 }, ok: { value: false } };
    const fetch = async () => Object.defineProperties(new Response(null), opaque);
    const client = new Ledger({ url: 'https://ledger.example', apiKey: 'x', fetch });
    const { code, status, message } = await failureOf(client.me());
    expect([code, status]).toEqual(['unexpected_response', undefined]);
    expect(message).toContain('The service redirects to another address, ');
  });
});

test('each function of the library is in a page for its users', () => {
  const docs = join(import.meta.dir, '../../../docs');
  const files = readdirSync(docs).filter((file) => file.endsWith('.md'));
  const pages = files.map((file) => readFileSync(join(docs, file), 'utf8')).join('\n');
  const functions = Object.entries({ ...library, ...reader }).filter(
    ([, each]) => typeof each === 'function',
  );
  expect(functions.length).toBeGreaterThan(20);
  expect(functions.map(([name]) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(pages))).toEqual(
    [],
  );
});
