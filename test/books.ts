/** The books as the database has them, for tests that must not take the API's word. */
import { expect } from 'bun:test';
import type { TestAccount, Transaction } from './client.ts';
import { sql } from './system.ts';

/** Every entry of an account, by source, newest first. */
export function rowsOf(accountId: string, db = sql): Promise<(Transaction & { sourceId: string })[]> {
  return db<(Transaction & { sourceId: string })[]>`
    select entry_id as id, to_char(entry_date, 'YYYY-MM-DD') as date, type, category, amount_pence as "amountPence",
           description, external_ref as "externalRef", source_id as "sourceId"
      from ledger.entry where account_id = ${accountId}
     order by source_id, entry_date desc, entry_id desc`;
}

/** What GET /sources says of each source against the rows that there are. */
export async function expectCountsToEqualRows(account: TestAccount): Promise<void> {
  const { status, body } = await account.get('/api/v1/sources');
  expect(status).toBe(200);
  const rows = await rowsOf(account.accountId);
  const counted = body.sources.map(({ id }: { id: string }) => [
    id,
    rows.filter(({ sourceId }) => sourceId === id).length,
  ]);
  expect(
    body.sources.map((source: { id: string; transactionCount: number }) => [
      source.id,
      source.transactionCount,
    ]),
  ).toEqual(counted);
}

/** `count` valid entries, each with a reference that starts with `name`. */
export function batch(name: string, count: number, fields: object = {}) {
  return Array.from({ length: count }, (_, index) => ({
    date: '2026-04-06',
    type: 'income',
    amountPence: index + 1,
    externalRef: `${name}-${index}`,
    ...fields,
  }));
}
