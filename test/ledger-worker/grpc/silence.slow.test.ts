/** Connections that stay silent. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { until } from '../../fixtures/until.ts';
import { closed, openSilent, startServer, watchHealth } from './own-server.ts';

setDefaultTimeout(60_000);

test('a connection without a call is closed after a time, and one with a call is not', async () => {
  const { server } = await startServer(async () => true);
  const statuses = watchHealth(server.adminAddress);
  await until('a call has begun', () => statuses.length > 0);
  const silent = await openSilent(server.adminAddress, 10);
  await until('the silent ones are closed', () => closed(silent) === 10);
  await server.drain(100);
  // The call has come to the end of the server.
  expect([...new Set(statuses)]).toEqual(['SERVING', 'NOT_SERVING']);
});
