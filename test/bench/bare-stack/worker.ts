/**
 * gRPC in, SQL out: one statement for a call. Checks nothing. Writes are the worker's own statement. Reads are for one request, without
 * what the worker's functions do for the response.
 */
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { rowElement, textField } from '../../../ledger-worker/database/array-literal.ts';
import { openDatabase } from '../../../ledger-worker/database/connection.ts';
import { WRITE, writeParameters } from '../../../ledger-worker/ledger/write.ts';
import { ENTRY_TEXTS } from '../../../proto/domain.ts';
import type { NewEntry } from '../entries.ts';
import { CALLS } from './rpc.ts';

/** What the key of the bare stack names. */
interface Account {
  accountId: string;
  sourceId: string;
  /** SHA-256, in hexadecimal. */
  keyHash: string;
}

// Longer than any lock wait.
const CONTEXT = { signal: new AbortController().signal, remainingMs: () => 10_000 };

const PAGE = `
  select entry_id as id, entry_date as date, type, amount_pence as "amountPence",
         category, description, external_ref as "externalRef"
    from ledger.entry
   where account_id = $1 and source_id = $3
     and exists (select from ledger.api_key where account_id = $1 and key_hash = $2 and revoked_at is null)
     and exists (select from ledger.source where account_id = $1 and source_id = $3 and removed_at is null)
   order by entry_date desc, entry_id desc
   limit $4`;

const AUTHENTICATE = `
  select account_id as "accountId", plan
    from ledger.api_key join ledger.account using (account_id)
   where key_hash = $1 and revoked_at is null`;

const { DATABASE_URL = '' } = process.env;
const sql = openDatabase({ url: DATABASE_URL, poolMax: 10, statementTimeoutMs: 0 });

const query = (statement: string, parameters: ReturnType<typeof writeParameters>) =>
  sql.unsafe(statement, parameters, { prepare: true });

async function create(account: Account, entries: readonly (NewEntry & { id: string })[]): Promise<unknown> {
  const write = {
    caller: { accountId: account.accountId, keyHash: Buffer.from(account.keyHash, 'hex') },
    writeId: Bun.randomUUIDv7(),
    sourceId: account.sourceId,
    entries: entries.map(({ id, date, type, amountPence, ...texts }) =>
      rowElement([id, date, type, amountPence, ...ENTRY_TEXTS.map((name) => textField(texts[name]))]),
    ),
    idempotency: null,
    context: CONTEXT,
  };
  return (await query(WRITE, writeParameters([write], true)))[0];
}

// One more than the page, to find out whether there is a next page.
const page = ({ accountId, keyHash, sourceId }: Account, limit: number) =>
  query(PAGE, [accountId, `\\x${keyHash}`, sourceId, String(limit + 1)]);

const handler =
  (work: (request: ReturnType<typeof JSON.parse>) => Promise<unknown>) =>
  (call: ServerUnaryCall<string, string>, done: sendUnaryData<string>) => {
    work(JSON.parse(call.request)).then(
      (result) => done(null, JSON.stringify(result)),
      (error) => done(error),
    );
  };

const server = new Server();
server.addService(CALLS, {
  create: handler(({ account, entries }) => create(account, entries)),
  page: handler(({ account, limit }) => page(account, limit)),
  authenticate: handler(async ({ keyHash }) => (await query(AUTHENTICATE, [`\\x${keyHash}`]))[0]),
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(JSON.stringify({ msg: 'listening', address: `127.0.0.1:${port}` }));
});

process.once('SIGTERM', () => {
  server.forceShutdown();
  void sql.end().then(() => process.exit(0));
});
