/** The accounts of a round: made by the Admin service of whichever worker answers. */
import { createAdminClient } from '../../proto/client.ts';
import type { SourceType } from '../../proto/vocabulary.ts';
import type { Cluster } from './cluster.ts';
import type { History, Loss } from './history.ts';
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

interface Access {
  code: Loss['code'];
  take(admin: Admin): Promise<unknown>;
  giveBack(admin: Admin): Promise<unknown>;
}

/** What can be lost and comes back, by a name for each. */
const ACCESS: Record<'plan' | 'account', (accountId: string) => Access> = {
  plan: (accountId) => ({
    code: 'upgrade_required',
    take: (admin) => admin.setPlan({ accountId, plan: 'free' }),
    giveBack: (admin) => admin.setPlan({ accountId, plan: 'pro' }),
  }),
  account: (accountId) => ({
    code: 'invalid_key',
    take: (admin) => admin.deleteAccount({ accountId }),
    giveBack: (admin) => admin.restoreAccount({ accountId }),
  }),
};

/** Takes it from the account, and says in `history` since when. Returns what gives it back. */
export async function lose(
  cluster: Cluster,
  history: History,
  accountId: string,
  what: keyof typeof ACCESS,
): Promise<() => Promise<void>> {
  const { code, take, giveBack } = ACCESS[what](accountId);
  const loss = newLoss({ what, accountId, code });
  history.losses.push(loss);
  const isTaken = await surely(cluster, take);
  if (isTaken) loss.ended = performance.now();
  return async () => {
    loss.regaining = performance.now();
    if ((await surely(cluster, giveBack)) && isTaken) loss.regained = performance.now();
  };
}

/** Removes a source of the account for good, and makes another in its place. */
export async function loseSource(
  cluster: Cluster,
  history: History,
  { accountId, sources }: Account,
  place: number,
): Promise<void> {
  const lost = sources[place];
  if (!lost) throw new RangeError(`there is no source at ${place}`);
  const loss = newLoss({ what: 'source', accountId, sourceId: lost.id, code: 'source_not_found' });
  history.losses.push(loss);
  if (await surely(cluster, (admin) => admin.removeSource({ id: lost.id }))) loss.ended = performance.now();
  // Where no worker answers, the client goes on with the one that it has lost.
  await withAdmin(cluster, (admin) => createSource(admin, accountId, lost.type)).then(
    (id) => {
      sources[place] = { id, type: lost.type };
    },
    () => {},
  );
}

const newLoss = (
  fields: Pick<Loss, 'what' | 'accountId' | 'code'> & Pick<Partial<Loss>, 'sourceId'>,
): Loss => ({
  kind: 'loss',
  ...fields,
  begun: performance.now(),
  ended: Number.POSITIVE_INFINITY,
  regaining: Number.POSITIVE_INFINITY,
  regained: Number.POSITIVE_INFINITY,
});

/** Whether it was done, by the only attempt: one that failed may come to pass later. */
async function surely(cluster: Cluster, ask: (admin: Admin) => Promise<unknown>): Promise<boolean> {
  let attempts = 0;
  const once = (admin: Admin) => {
    attempts++;
    return ask(admin);
  };
  return withAdmin(cluster, once).then(
    () => attempts === 1,
    () => false,
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
