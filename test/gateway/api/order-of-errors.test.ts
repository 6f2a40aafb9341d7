/** When several errors apply, the first of them is returned (docs/api/errors.md). `daily_cap` is in ../access/day.test.ts. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { entry, send, TestAccount } from '../../fixtures/client.ts';
import { bearer, many } from '../../fixtures/endpoints.ts';
import { admin } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();
const { key: fullKey } = await admin.createKey({ accountId: account.accountId });
await many(120, fullKey);
const { key: readOnlyKey } = await admin.createKey({ accountId: account.accountId, readOnly: true });
const { key: freeKey } = await TestAccount.create('free');

interface Sent {
  headers: Record<string, string>;
  source: string;
  query: string;
  body: string;
}

/** A fault of a request: its error, and the part that it changes. Two faults of one part cannot occur together. */
type Fault = [code: string, change: Partial<Sent>];

const OF_HOST: Fault[] = [['invalid_request', { headers: { host: 'a b' } }]];
const OF_ACCESS: Fault[] = [
  ['missing_key', { headers: { authorization: '' } }],
  ['invalid_key', { headers: bearer(`${account.key}x`) }],
  ['upgrade_required', { headers: bearer(freeKey) }],
];
const OF_WRITES: Fault[] = [['read_only_key', { headers: bearer(readOnlyKey) }]];
const OF_MINUTE: Fault[] = [['rate_limited', { headers: bearer(fullKey) }]];
const OF_QUERY: Fault[] = [['invalid_query', { query: 'colour=red' }]];
const OF_PAGES: Fault[] = [
  ['invalid_query', { query: 'limit=0' }],
  ['invalid_query', { query: 'cursor=x' }],
];
const OF_HEADERS: Fault[] = [
  ['unsupported_encoding', { headers: { 'content-encoding': 'gzip' } }],
  ['invalid_json', { headers: { 'content-type': 'text/csv' } }],
  ['invalid_idempotency_key', { headers: { 'idempotency-key': 'a b' } }],
];
const OF_BODY: Fault[] = [
  ['payload_too_large', { body: ' '.repeat(5 * 1024 * 1024 + 1) }],
  ['invalid_json', { body: '{"date":' }],
  ['empty_body', { body: '[]' }],
  ['too_many', { body: JSON.stringify(Array(501).fill(entry())) }],
  ['invalid_transaction', { body: JSON.stringify(entry({ amountPence: 0 })) }],
];
const OF_SOURCE: Fault[] = [
  ['source_not_found', { source: 'x' }],
  ['source_not_found', { source: crypto.randomUUID() }],
];
const OF_DATA: Fault[] = [['invalid_category', { body: JSON.stringify(entry({ category: 'x' })) }]];

test.each([
  ['GET', [OF_HOST, OF_ACCESS, OF_MINUTE, [...OF_QUERY, ...OF_PAGES], OF_SOURCE]],
  ['POST', [OF_HOST, OF_ACCESS, OF_WRITES, OF_MINUTE, OF_QUERY, OF_HEADERS, OF_BODY, OF_SOURCE]],
  ['POST', [OF_HOST, OF_ACCESS, OF_WRITES, OF_MINUTE, OF_QUERY, OF_HEADERS, OF_SOURCE, OF_DATA]],
] as [string, Fault[][]][])(
  'of two faults of a %s, the error of the first is returned',
  async (method, order) => {
    const failing: unknown[] = [];
    for (const [n, faults] of order.entries())
      for (const [code, change] of faults)
        for (const [laterCode, later] of order.slice(n + 1).flat()) {
          const { body } = await sendWith(method, [later, change]);
          if (body.error?.code !== code) failing.push([code, laterCode, body.error?.code]);
        }
    expect(failing).toEqual([]);
  },
);

/** @param changes the last one counts where two change the same */
async function sendWith(method: string, changes: Partial<Sent>[]) {
  const request: Sent = {
    headers: { 'content-type': 'application/json', ...bearer(await account.takeKey()) },
    source: account.sources['uk-property'],
    query: '',
    body: JSON.stringify(entry()),
  };
  for (const { headers, ...change } of changes) {
    Object.assign(request, change);
    Object.assign(request.headers, headers);
  }
  const { headers, source, query, body } = request;
  const path = `/api/v1/sources/${source}/transactions?${query}`;
  return send(path, { method, headers, ...(method === 'POST' && { body }) });
}
