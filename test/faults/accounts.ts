/** Creates the accounts and keys of a round, and removes access, through the Admin service of any running worker. */
import { createAdminClient } from '../../proto/client.ts';
import type { SourceType } from '../../proto/vocabulary.ts';
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
      types.map(async (type) => {
        return { id: await createSource(admin, accountId, type), type };
      }),
    );
    return { accountId, sources };
  });
}

async function createSource(admin: Admin, accountId: string, type: SourceType): Promise<string> {
  const source = await admin.createSource({ accountId, type, name: type, role: 'owner', sharePercent: 100 });
  return source.id;
}

export async function createKeys(cluster: Cluster, accountId: string, count: number): Promise<Key[]> {
  return withAdmin(cluster, (admin) =>
    Promise.all(
      Array.from({ length: count }, async () => ({ accountId, ...(await admin.createKey({ accountId })) })),
    ),
  );
}

/**
 * Revokes a key and records the time in `history`. If no worker responds, the revocation never counts as returned.
 */
export async function revoke(cluster: Cluster, history: History, { accountId, keyId }: Key): Promise<void> {
  const revocation = {
    kind: 'revocation' as const,
    accountId,
    keyId,
    begun: performance.now(),
    ended: Number.POSITIVE_INFINITY,
  };
  history.revocations.push(revocation);
  await withAdmin(cluster, (admin) => admin.revokeKey({ keyId })).then(
    () => {
      revocation.ended = performance.now();
    },
    () => {},
  );
}

interface Access {
  code: AccessLoss['code'];
  remove(admin: Admin): Promise<unknown>;
  restore(admin: Admin): Promise<unknown>;
}

/** Kinds of access that can be removed and restored. */
const ACCESS: Record<'plan' | 'account', (accountId: string) => Access> = {
  plan: (accountId) => ({
    code: 'upgrade_required',
    remove: (admin) => admin.setPlan({ accountId, plan: 'free' }),
    restore: (admin) => admin.setPlan({ accountId, plan: 'pro' }),
  }),
  account: (accountId) => ({
    code: 'invalid_key',
    remove: (admin) => admin.deleteAccount({ accountId }),
    restore: (admin) => admin.restoreAccount({ accountId }),
  }),
};

/** Removes a kind of access from the account and records it in `history`. Returns a function that restores it. */
export async function lose(
  cluster: Cluster,
  history: History,
  accountId: string,
  what: keyof typeof ACCESS,
): Promise<() => Promise<void>> {
  const { code, remove, restore } = ACCESS[what](accountId);
  const loss = newAccessLoss({ what, accountId, code });
  history.accessLosses.push(loss);
  const isRemoved = await succeedsAtOnce(cluster, remove);
  if (isRemoved) loss.ended = performance.now();
  return async () => {
    loss.restoring = performance.now();
    if ((await succeedsAtOnce(cluster, restore)) && isRemoved) loss.restored = performance.now();
  };
}

/** Removes a source of the account and creates another one in its place. */
export async function loseSource(
  cluster: Cluster,
  history: History,
  { accountId, sources }: Account,
  index: number,
): Promise<void> {
  const lost = sources[index];
  if (!lost) throw new RangeError(`there is no source ${index}`);
  const loss = newAccessLoss({ what: 'source', accountId, sourceId: lost.id, code: 'source_not_found' });
  history.accessLosses.push(loss);
  if (await succeedsAtOnce(cluster, (admin) => admin.removeSource({ id: lost.id })))
    loss.ended = performance.now();
  // If no worker responds, the client continues with the removed source.
  await withAdmin(cluster, (admin) => createSource(admin, accountId, lost.type)).then(
    (id) => {
      sources[index] = { id, type: lost.type };
    },
    () => {},
  );
}

const newAccessLoss = (
  fields: Pick<AccessLoss, 'what' | 'accountId' | 'code'> & Pick<Partial<AccessLoss>, 'sourceId'>,
): AccessLoss => ({
  kind: 'loss',
  ...fields,
  begun: performance.now(),
  ended: Number.POSITIVE_INFINITY,
  restoring: Number.POSITIVE_INFINITY,
  restored: Number.POSITIVE_INFINITY,
});

/** Whether the first attempt succeeded. After a failed attempt the time of the change is unknown. */
async function succeedsAtOnce(cluster: Cluster, call: (admin: Admin) => Promise<unknown>): Promise<boolean> {
  let attempts = 0;
  const counted = (admin: Admin) => {
    attempts++;
    return call(admin);
  };
  return withAdmin(cluster, counted).then(
    () => attempts === 1,
    () => false,
  );
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
