/** Checks whether a database is right. Only reads. */
import { NIL_UUID } from '../../proto/domain.ts';
import { addressesIn } from '../database/address.ts';
import { openDatabase, requireSessionSettings, type Sql } from '../database/connection.ts';
import { verifyAccount } from './account.ts';
import type { Finding } from './finding.ts';
import { NO_AMCHECK, verifyIndexes } from './indexes.ts';
import { lostAccounts, verifyOrphans } from './orphans.ts';
import { verifySchema } from './schema.ts';
import { verifySeals } from './seals.ts';

const ACCOUNTS_PER_PAGE = 1_000;

const SETTINGS = {
  application_name: 'ledger-verify',
  default_transaction_read_only: 'on',
  // The description of the schema has names without it.
  search_path: 'ledger',
  // Citus refuses a plan without the values of its parameters.
  plan_cache_mode: 'auto',
  // The server ends the statement of a check that was stopped.
  client_connection_check_interval: '1000',
};

interface VerifyOptions {
  /** As for the worker. The schema and the indexes of each host are checked, and the accounts at the first one. */
  databaseUrl: string;
  /** Only this account, and no indexes. */
  account?: string | undefined;
  /** Only accounts with a higher id. */
  after?: string | undefined;
  /** The digests of seals that are kept outside, by account and day. */
  anchors?: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined;
  /** Stops the check. */
  signal: AbortSignal;
  onProgress(line: string): void;
}

interface Report {
  /** `incomplete`: nothing wrong was found in a part of the database. */
  result: 'right' | 'wrong' | 'incomplete';
  findings: Finding[];
  accounts: number;
  entries: number;
  indexes: number;
  /** Why a part was not checked. */
  notChecked: string[];
  /** The last account that was checked, for `after` of the next run. Absent: the check has reached its end. */
  next?: string;
}

/** Checks until the end, a signal, or an error. The report then has what was found before. */
export async function verify(options: VerifyOptions): Promise<Report> {
  const report: Report = {
    result: 'right',
    findings: [],
    accounts: 0,
    entries: 0,
    indexes: 0,
    notChecked: [],
    ...(options.after !== undefined && { next: options.after }),
  };
  const { signal } = options;
  const servers: Server[] = [];
  const stop = () => servers.map(({ sql }) => sql.end({ timeout: 0 }));
  signal.addEventListener('abort', stop);
  try {
    for (const url of addressesOf(options))
      servers.push({
        name: new URL(url).host,
        sql: openDatabase({ url, poolMax: 1, statementTimeoutMs: 0, settings: SETTINGS }),
      });
    await verifyServers(servers as [Server, ...Server[]], options, report);
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string };
    report.notChecked.push(signal.aborted ? 'The check was stopped.' : message || code || String(error));
    report.result = 'incomplete';
  } finally {
    signal.removeEventListener('abort', stop);
    await Promise.all(stop());
  }
  if (report.findings.length > 0) report.result = 'wrong';
  return report;
}

function addressesOf({ databaseUrl }: VerifyOptions): string[] {
  try {
    return addressesIn(databaseUrl);
  } catch (error) {
    throw new Error(`DATABASE_URL is not valid (${(error as Error).message}).`);
  }
}

interface Server {
  /** host:port */
  name: string;
  sql: Sql;
}

async function verifyServers(
  servers: [Server, ...Server[]],
  options: VerifyOptions,
  report: Report,
): Promise<void> {
  const { account, onProgress } = options;
  const [{ sql: first }] = servers;
  const addAt = (server: string, findings: Finding[] = []) =>
    report.findings.push(
      ...findings.map((finding) => ({ ...finding, ...(servers.length > 1 && { server }) })),
    );
  onProgress('the schema');
  for (const { name: server, sql } of servers) {
    await requireSessionSettings(sql);
    addAt(server, await verifySchema(sql));
  }
  const ofSchema = report.findings.length;
  if (account === undefined) await verifyAccounts(first, options, report);
  else await addAccount(first, account, options, report);
  onProgress('rows of accounts that do not exist');
  await first`set enable_seqscan = on`;
  report.findings.push(
    ...(await verifyOrphans(first, account)),
    ...(await lostAccounts(first, options.anchors, account)),
  );
  if (account !== undefined) {
    if (report.accounts === 0 && report.findings.length === ofSchema)
      throw new Error(`There is no account ${account}, or it is being erased.`);
    return;
  }
  for (const { name: server, sql } of servers) {
    const checked = await verifyIndexes(sql, (name) => onProgress(`the index ${name}`));
    if (!checked) report.notChecked.push(NO_AMCHECK);
    report.indexes += checked?.indexes ?? 0;
    addAt(server, checked?.findings);
  }
  delete report.next;
}

async function verifyAccounts(sql: Sql, options: VerifyOptions, report: Report) {
  const { onProgress, signal } = options;
  const after = () => report.next ?? NIL_UUID;
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*) from ledger.account where account_id > ${after()}`;
  for (let hasMore = true; hasMore; ) {
    const page: { id: string }[] = await sql`
      select account_id as id from ledger.account where account_id > ${after()} order by account_id limit ${ACCOUNTS_PER_PAGE}`;
    for (const { id } of page) {
      signal.throwIfAborted();
      await addAccount(sql, id, options, report);
      report.next = id;
    }
    onProgress(
      `${report.accounts} of ${count} accounts, ${report.entries} entries; --after ${after()} continues here`,
    );
    hasMore = page.length === ACCOUNTS_PER_PAGE;
  }
}

async function addAccount(sql: Sql, id: string, { anchors }: VerifyOptions, report: Report): Promise<void> {
  const { entries, findings } = await verifyAccount(sql, id);
  report.findings.push(...findings);
  if (entries === undefined) return;
  report.accounts++;
  report.entries += entries;
  report.findings.push(...(await verifySeals(sql, id, anchors?.get(id))));
}
