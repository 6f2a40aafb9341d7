/** Clients that write and read during an upgrade, by the transport and the history of the fault tests. */
import type { AdminClient } from '../../proto/admin-client.ts';
import type { Client } from '../faults/clients.ts';
import { random } from '../faults/random.ts';
import type { Key, Transport } from '../faults/transport.ts';
import { Workload } from '../faults/workload.ts';
import { newAccount } from '../fixtures/new-account.ts';

// A client uses its keys in rotation and so stays below the rate limit.
const KEYS = 40;
// So that no account reaches its daily cap.
const PAUSE_MS = 300;

export async function newClient(admin: AdminClient, name: string): Promise<Client> {
  const { accountId, source, keys } = await newAccount(admin, KEYS);
  const account = { accountId, sources: [{ id: source, type: 'uk-property' as const }] };
  return {
    random: random(`client ${name}`),
    keys: keys.map((key) => ({ accountId, keyId: key, key })),
    workload: new Workload(name, account, random(name)),
  };
}

type Source = Client['workload']['account']['sources'][number];

/** Sends new, raced and repeated writes, and reads, until `stop` aborts. */
export async function work(
  { random, keys, workload }: Client,
  transport: Transport,
  stop: AbortSignal,
): Promise<void> {
  const [{ id: sourceId }] = workload.account.sources as [Source];
  let sent = 0;
  const next = () => keys[sent++ % keys.length] as Key;
  for (; !stop.aborted; await Bun.sleep(PAUSE_MS)) {
    const raced = workload.batch(random.int(1, 6), 'all');
    await Promise.all([raced, raced].map((batch) => transport.write(batch, next())));
    await Promise.all([
      transport.write(workload.repeated() ?? raced, next()),
      transport.write(workload.batch(random.int(1, 6), 'some'), next()),
      transport.sources(next()),
    ]);
    await Promise.all([
      transport.write(workload.keyed(random.int(1, 6)), next()),
      transport.page({ sourceId, limit: 200 }, next()),
    ]);
  }
}
