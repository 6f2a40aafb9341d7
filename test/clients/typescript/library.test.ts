/** The client library follows no redirect: the key and the entries would go to another service. Other reads: test/clients/python/. */
import { describe, expect, test } from 'bun:test';
import { Ledger, type LedgerError } from '../../../clients/typescript/index.ts';
import { startProxy } from '../proxy.ts';

describe('a redirect', () => {
  const failureOf = (promise: Promise<unknown>): Promise<LedgerError> =>
    promise.then(
      () => expect.unreachable(),
      (error) => error,
    );

  test('is not followed by a read or a push, and not repeated', async () => {
    await using target = await startProxy();
    await using service = await startProxy(({ path }) => ({
      ...{ status: 307, body: '' },
      headers: { location: target.url + path },
    }));
    const client = new Ledger({ url: service.url, apiKey: 'x' });
    const entry = { date: '2026-04-06', type: 'income', amountPence: 1 } as const;
    for (const response of [client.me(), client.push('source', [entry])]) {
      const error = await failureOf(response);
      expect(error).toMatchObject({ code: 'unexpected_response', status: 307 });
      expect(error.message).toContain(`redirects to ${target.url}, `);
    }
    expect([service.requests.length, target.requests]).toEqual([2, []]);
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
