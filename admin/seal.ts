/** `admin seal`: the seals of the database as lines for a file of anchors. */
import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';
import { show, type Terminal } from './output.ts';
import { requireUrl } from './verify.ts';

/** @param after a file of anchors: only later seals. Absent: all */
export const exportSeals = (config: Config, after: string | undefined, terminal: Terminal) =>
  withDatabase(config, async (sql, { readAnchors, sealsAfter }) => {
    const last = after === undefined ? undefined : readAnchors(readFileSync(after, 'utf8')).last;
    for await (const seal of sealsAfter(sql, last)) show(seal, { terminal, json: true });
  });

/** Prints the line that lets anchors count up to the last seal of a restored database. */
export const recordRestore = (config: Config, terminal: Terminal) =>
  withDatabase(config, async (sql, { restoredNow }) =>
    show(await restoredNow(sql), { terminal, json: true }),
  );

type Seals = typeof import('../ledger-worker/verify/anchors.ts');
type Sql = ReturnType<typeof import('../ledger-worker/database/connection.ts').openDatabase>;

/** The other commands need no SQL: it is loaded here. */
async function withDatabase(
  { DATABASE_URL: databaseUrl }: Config,
  work: (sql: Sql, seals: Seals) => Promise<void>,
) {
  requireUrl(databaseUrl);
  const { openDatabase } = await import('../ledger-worker/database/connection.ts');
  const { addressesIn } = await import('../ledger-worker/database/address.ts');
  const [url = ''] = addressesIn(databaseUrl);
  const settings = { default_transaction_read_only: 'on', plan_cache_mode: 'auto' };
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 0, settings });
  await work(sql, await import('../ledger-worker/verify/anchors.ts')).finally(() => sql.end());
}
