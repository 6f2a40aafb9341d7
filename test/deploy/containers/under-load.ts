/** What happens to containers while requests are sent, and what must be true of the entries afterwards. */
import { expect } from 'bun:test';
import type { LoadOptions, LoadReport } from './load.ts';
import { compose, containersOf, docker, loadDuring, query, shell } from './stack.ts';

/** The load on one service, with the references of all entries that it has acknowledged. */
export function loadOn(keys: LoadOptions['keys']) {
  const acknowledged = new Set<string>();
  return {
    async during(seconds: number, work: () => Promise<unknown>): Promise<LoadReport> {
      const report = await loadDuring(keys, seconds, work);
      for (const reference of report.acknowledged) acknowledged.add(reference);
      const { requests, failures, slowestMs } = report;
      console.log(`  ${requests} requests, ${failures.length} failed, slowest ${slowestMs} ms`);
      expect(requests).toBeGreaterThan(seconds * 20);
      return report;
    },
    async expectEachEntryOnce(): Promise<void> {
      expect(acknowledged.size).toBeGreaterThan(1_000);
      const stored = await query('select external_ref from ledger.entry where external_ref is not null');
      expect(new Set(stored).size).toBe(stored.length);
      const missing = [...acknowledged.difference(new Set(stored))];
      expect(missing).toEqual([]);
    },
  };
}

/** As a process ends that crashes: an engine does not start again what was stopped by its own command. */
export async function crash(service: string): Promise<void> {
  const [id = ''] = await containersOf(service);
  await shell(`kill -9 $(docker inspect --format '{{.State.Pid}}' ${id})`);
}

export async function restartOneByOne(service: string): Promise<void> {
  for (const id of await containersOf(service)) {
    await docker('restart', id);
    await compose('up', '--detach', '--no-recreate', '--wait', service);
  }
}

/** By deploy/roll.sh, to an image that differs from the one that runs in a label only. */
export async function rollNewVersion(): Promise<void> {
  const containers = async () => [
    ...(await containersOf('gateway')),
    ...(await containersOf('ledger-worker')),
  ];
  const before = await containers();
  const image = (await docker('inspect', '--format', '{{.Config.Image}}', before[0] ?? '')).trim();
  const next = `FROM ${image}\\nLABEL version=${crypto.randomUUID()}\\n`;
  await shell(`printf '${next}' | docker build --quiet --tag ${image} - && deploy/roll.sh --no-build`);
  const after = await containers();
  expect(after).toHaveLength(before.length);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
}
