/** During an upgrade, workers and gateways of the release before list the known entries themselves. Both get the same list. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type Batch, createParameters } from '../../../ledger-worker/ledger/create-batches.ts';
import type { ResponseOf } from '../../../proto/contract.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { callerOf, type Entry, newEntry, openLedger } from '../../fixtures/ledger.ts';
import { sql, system } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const ledger = openLedger(system.workerAddress);
afterAll(() => ledger.close());

type Idempotency = { key: string; fingerprint: Buffer };
type Created = ResponseOf<'createEntries'>['created'];

const byGateway = async (account: TestAccount, entries: Entry[], idempotency?: Idempotency) => {
  const request = { caller: callerOf(account), sourceId: account.sources['uk-property'], entries };
  const { created } = await ledger.createEntries({ ...request, ...(idempotency && { idempotency }) });
  return created;
};

const WITHOUT_END = { signal: new AbortController().signal, remainingMs: () => 60_000 };

async function byWorker(account: TestAccount, entries: Entry[], idempotency?: Idempotency): Promise<Created> {
  const batch = {
    caller: callerOf(account),
    sourceId: account.sources['uk-property'],
    entries,
    idempotency: idempotency ?? null,
    call: WITHOUT_END,
  } as Batch;
  const [row] = await sql.unsafe(
    'select added, detail from ledger.create_entries($7, $1::ledger.batch[], $2::ledger.new_entry[], $3, $4, $5, $6)',
    [...createParameters([batch], true), account.accountId],
  );
  return { added: row?.added, existing: row?.detail?.existing ?? [], ids: row?.detail?.ids ?? [] };
}

test.each([
  ['a gateway', byGateway],
  ['a worker', byWorker],
])(
  '%s of the release before gets the known entries, their differing fields and the first ids',
  async (_, send) => {
    const account = await TestAccount.create();
    const stored = newEntry({ externalRef: 'one', amountPence: 100 });
    expect(await send(account, [stored, newEntry()])).toEqual({ added: 2, existing: [], ids: [] });

    const ref = 'two "quoted" \\ ü';
    const batch = () => {
      const twice = newEntry({ externalRef: ref });
      const changed = newEntry({ externalRef: 'one', amountPence: 200, date: '2026-04-07' });
      return [twice, changed, newEntry(), newEntry({ externalRef: ref })] as const;
    };
    const idempotency = { key: 'statement', fingerprint: Buffer.alloc(32, 1) };
    const first = batch();
    const existing = [
      { index: 1, id: stored.id, differingFields: ['date', 'amountPence'] },
      { index: 3, id: first[0].id, differingFields: [] },
    ];
    expect(await send(account, [...first], idempotency)).toEqual({ added: 2, existing, ids: [] });

    const repeated = await send(account, [...batch()], idempotency);
    expect(repeated).toMatchObject({ added: 0, existing });
    // The ids of known entries are those in `existing`.
    expect(repeated?.ids).toEqual([first[0].id, expect.any(String), first[2].id, expect.any(String)]);
  },
);
