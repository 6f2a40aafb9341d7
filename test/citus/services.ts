/** A worker and a gateway on a distributed database, and accounts of chosen nodes. */
import { ShardMap } from '../../ledger-worker/citus/shard-map.ts';
import { startGateway } from '../../local/servers/gateway.ts';
import { startWorker } from '../../local/servers/worker.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import type { CitusNode } from '../fixtures/citus-node.ts';
import { execute } from '../fixtures/database.ts';
import { equip } from '../fixtures/new-account.ts';

export type NodeAccount = Awaited<ReturnType<typeof equip>>;
export type Services = Awaited<ReturnType<typeof startServices>>;

interface Options {
  logFile?: string;
  worker?: Record<string, string>;
  gateway?: Record<string, string>;
}

export async function startServices(databaseUrl: string, options: Options = {}) {
  const { logFile, worker: env = {}, gateway: gatewayEnv = {} } = options;
  const worker = await startWorker({ databaseUrl, logFile, env });
  const gateway = await startGateway({ workerAddress: worker.address, env: gatewayEnv });
  const admin = createAdminClient(worker.adminAddress);
  return {
    worker,
    gateway,
    admin,
    async stop() {
      admin.close();
      await gateway.stop();
      await worker.stop();
    },
  };
}

/** The account's shard decides its node, so accounts are created until each of the `groups` has its own. */
export async function createAccounts(
  { admin }: Pick<Services, 'admin'>,
  coordinator: CitusNode,
  groups: readonly number[],
  keyCount = 1,
): Promise<NodeAccount[]> {
  const map = await readShardMap(coordinator);
  const create = async (group: number): Promise<NodeAccount> => {
    const { accountId } = await admin.createAccount({ plan: 'pro' });
    return map.groupOf(accountId) === group ? equip(admin, accountId, keyCount) : create(group);
  };
  return Promise.all(groups.map(create));
}

export async function readShardMap({ url }: CitusNode): Promise<ShardMap> {
  const [row] = await execute<{ shards: string }>(
    url,
    `select string_agg(shardminvalue || ' ' || groupid, ',') as shards
       from pg_dist_shard join pg_dist_placement using (shardid)
      where logicalrelid = 'ledger.account'::regclass`,
  );
  return new ShardMap(row?.shards ?? '');
}

const KIB = 1024;
const BODY_BYTES = {
  post: 0,
  'post of 27 KiB': 27 * KIB,
  'post of 100 KiB': 100 * KIB,
  'post of 1.5 MiB': 1536 * KIB,
};
export const KINDS = [
  'me',
  'sources',
  'page',
  ...(Object.keys(BODY_BYTES) as (keyof typeof BODY_BYTES)[]),
] as const;
export type Kind = (typeof KINDS)[number];

let sent = 0;

/** A request of an account with the next of its keys. @returns the status */
export async function send({ gateway }: Services, account: NodeAccount, kind: Kind = 'me'): Promise<number> {
  const key = account.keys[sent++ % account.keys.length];
  const isPost = kind in BODY_BYTES;
  const isOfSource = isPost || kind === 'page';
  const path = isOfSource ? `/sources/${account.source}/transactions` : `/${kind}`;
  const entry = { date: '2026-04-06', type: 'income', amountPence: 1 };
  // A new entry and one that is known from the second time on. White space: both are stored, whatever the size.
  const body = JSON.stringify([entry, { ...entry, externalRef: 'known' }]);
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${key}`, ...(isPost && { 'idempotency-key': crypto.randomUUID() }) },
    ...(isPost && { method: 'POST', body: body.padEnd(BODY_BYTES[kind as keyof typeof BODY_BYTES]) }),
  });
  await response.text();
  return response.status;
}
