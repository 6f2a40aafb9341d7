/** Creates the accounts and keys of a round, and removes access, through the Admin service of any running worker. */
import { createAdminClient } from '../../proto/admin-client.ts';
import type { SourceType } from '../../proto/domain.ts';
import type { Cluster } from './cluster.ts';
import type { AccessLoss, History } from './history.ts';
import type { Key } from './transport.ts';

export interface Account {
  accountId: string;
  sources: { id: string; type: SourceType }[];
}

type Admin = ReturnType<typeof createAdminClient>;

export async function createAccount(cluster: Cluster): Promise<Account> {
  return withAdmin(cluster, async (admin) => {
    const { accountId } = await admin.createAccount({ plan: 'pro' });
    const types: SourceType[] = ['uk-property', 'self-employment'];
    const sources = await Promise.all(
      types.map(async (type) => ({ id: await createSource(admin, accountId, type), type })),
    );
    return { accountId, sources };
  });
}

async function createSource(admin: Admin, accountId: string, type: SourceType): Promise<string> {
  const source = await admin.createSource({ accountId, type, name: type, role: 'owner', sharePercent: 100 });
  return source.id;
}

export async function createKeys(cluster: Cluster, { accountId }: Account, count: number): Promise<Key[]> {
  return withAdmin(cluster, (admin) =>
    Promise.all(
      Array.from({ length: count }, async () => ({ accountId, ...(await admin.createKey({ accountId })) })),
    ),
  );
}

type Lost = Pick<AccessLoss, 'what' | 'accountId' | 'code' | 'keyId' | 'sourceId'>;

/**
 * Removes access and records it in `history`. If the call fails, even if another attempt succeeds, nobody knows when access
 * was lost.
 */
async function lose(
  cluster: Cluster,
  history: History,
  lost: Lost,
  remove: (admin: Admin) => Promise<unknown>,
): Promise<AccessLoss> {
  const never = Number.POSITIVE_INFINITY;
  const loss = { ...lost, begun: performance.now(), ended: never, restoring: never, restored: never };
  history.accessLosses.push(loss);
  if (await succeedsAtOnce(cluster, remove)) loss.ended = performance.now();
  return loss;
}

export async function revoke(cluster: Cluster, history: History, { accountId, keyId }: Key): Promise<void> {
  const lost: Lost = { what: 'key', accountId, keyId, code: 'invalid_key' };
  await lose(cluster, history, lost, (admin) => admin.revokeKey({ keyId }));
}

/** Removes a source of the account and creates another one in its place. */
export async function loseSource(
  cluster: Cluster,
  history: History,
  { accountId, sources }: Account,
  index: number,
): Promise<void> {
  const { id, type } = sources[index] as Account['sources'][number];
  const lost: Lost = { what: 'source', accountId, sourceId: id, code: 'source_not_found' };
  await lose(cluster, history, lost, (admin) => admin.removeSource({ id }));
  // If no worker responds, the client continues with the removed source.
  const create = (admin: Admin) => createSource(admin, accountId, type);
  const created = await withAdmin(cluster, create).catch(() => id);
  sources[index] = { id: created, type };
}

/** Removes the plan or the account. Returns a function that restores it. */
export async function losePlanOrAccount(
  cluster: Cluster,
  history: History,
  accountId: string,
  what: 'plan' | 'account',
): Promise<() => Promise<void>> {
  const code = what === 'plan' ? 'upgrade_required' : 'invalid_key';
  const loss = await lose(cluster, history, { what, accountId, code }, (admin) =>
    what === 'plan' ? admin.setPlan({ accountId, plan: 'free' }) : admin.deleteAccount({ accountId }),
  );
  return async () => {
    loss.restoring = performance.now();
    const isRestored = await succeedsAtOnce(cluster, (admin) =>
      what === 'plan' ? admin.setPlan({ accountId, plan: 'pro' }) : admin.restoreAccount({ accountId }),
    );
    if (isRestored && loss.ended < loss.restoring) loss.restored = performance.now();
  };
}

async function succeedsAtOnce(cluster: Cluster, call: (admin: Admin) => Promise<unknown>): Promise<boolean> {
  let attempts = 0;
  return withAdmin(cluster, async (admin) => {
    attempts++;
    await call(admin);
    return attempts === 1;
  }).catch(() => false);
}

const ROUNDS_MAX = 4;
const RETRY_MS = 300;

/** Calls each worker in turn, up to four times, since the Admin client itself does not retry. */
async function withAdmin<Result>(cluster: Cluster, call: (admin: Admin) => Promise<Result>): Promise<Result> {
  const failures: unknown[] = [];
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    for (const worker of cluster.workers.filter(({ isRunning }) => isRunning)) {
      const admin = createAdminClient(worker.current.adminAddress);
      try {
        return await call(admin);
      } catch (error) {
        failures.push(error);
      } finally {
        admin.close();
      }
    }
    await Bun.sleep(RETRY_MS);
  }
  throw new AggregateError(failures, 'no worker responds to the Admin client');
}
