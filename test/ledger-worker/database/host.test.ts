/** How the worker checks a host of its database. */
import { expect, test } from 'bun:test';
import { Host } from '../../../ledger-worker/database/host.ts';
import { startProxy } from '../../faults/proxy.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

test('a check that gets no response in time leaves its connection open: on a busy machine a new one needs longer', async () => {
  const directory = new URL(system.databaseUrl).searchParams.get('host');
  let opened = 0;
  const link = await startProxy(() => {
    opened++;
    return { path: `${directory}/.s.PGSQL.5432` };
  });
  const host = new Host(`postgres://ledger@127.0.0.1:${link.port}/ledger`);
  try {
    await link.set({ kind: 'holdReplies' });
    for (let check = 0; check < 3; check++) expect(await host.check(50)).toBe(false);
    await link.set({ kind: 'pass' });
    await until('the host is up', () => host.check());
    expect([opened, host.state]).toEqual([1, 'writable']);
  } finally {
    await host.end();
    await link.close();
  }
});
