/** Every response of the service is as its description says: status, schema, headers. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { dereference, expectDescribed, fetchDescription } from './openapi-document.ts';

setDefaultTimeout(60_000);

const document = dereference(await fetchDescription());
const account = await TestAccount.create();

const TRANSACTIONS = '/api/v1/sources/{id}/transactions';

describe('successes are as described:', () => {
  test('a creation, a repetition with conflicts, and the pages of what is recorded', async () => {
    const full = { category: 'periodAmount', description: 'Rent', externalRef: 'described-1' };
    const created = await account.post([entry(full), entry()]);
    expect(created.status).toBe(201);
    expectDescribed(document, 'POST', TRANSACTIONS, created);

    const repeated = await account.post(entry({ ...full, amountPence: 1 }));
    expect(repeated.status).toBe(200);
    expect(repeated.body.conflicts).toHaveLength(1);
    expectDescribed(document, 'POST', TRANSACTIONS, repeated);

    const first = await account.page({ limit: 1 });
    expect(first.body.nextCursor).toBeString();
    expectDescribed(document, 'GET', TRANSACTIONS, first);
    const last = await account.page({ limit: 1, cursor: first.body.nextCursor });
    expect(last.body.nextCursor).toBeNull();
    expectDescribed(document, 'GET', TRANSACTIONS, last);
  });
});
