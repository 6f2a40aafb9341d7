/** The accounts of a round: made by the Admin service of whichever worker answers. */
import { createAdminClient } from '../../proto/ledger.ts';
import type { SourceType } from '../../proto/vocabulary.ts';
import type { Cluster } from './cluster.ts';
import type { History } from './history.ts';
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
        const { id } = await admin.createSource({
          accountId,
          type,
          name: type,
          role: 'owner',
          sharePercent: 100,
        });
        return { id, type };
      }),
    );
    return { accountId, sources };
  });
}

export async function createKeys(cluster: Cluster, accountId: string, count: number): Promise<Key[]> {
  return withAdmin(cluster, (admin) =>
    Promise.all(
      Array.from({ length: count }, async () => ({ accountId, ...(await admin.createKey({ accountId })) })),
    ),
  );
}

/**
 * Revokes a key, and says in `history` when. Where no worker answers, nothing is known to have been revoked.
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

const ROUNDS_MAX = 4;
const ASK_AGAIN_MS = 300;

/**
 * Asks each worker in turn, a few times: no gateway repeats for the app what failed with a worker or a
 * connection.
 */
async function withAdmin<Result>(cluster: Cluster, ask: (admin: Admin) => Promise<Result>): Promise<Result> {
  const failures: unknown[] = [];
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    for (const worker of cluster.workers.filter(({ isRunning }) => isRunning)) {
      const admin = createAdminClient(worker.current.adminAddress);
      try {
        return await ask(admin);
      } catch (error) {
        failures.push(error);
      } finally {
        admin.close();
      }
    }
    await Bun.sleep(ASK_AGAIN_MS);
  }
  throw new AggregateError(failures, 'no worker answers the Admin service');
}
