/** API8: a worker is reached by other machines only if it is told so, and says at its start when they need no certificate. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAddresses, readConfig } from '../../ledger-worker/config.ts';
import { startWorker } from '../../local/servers/worker.ts';
import { logsDir, system } from '../fixtures/system.ts';

setDefaultTimeout(60_000);

const DATABASE_URL = 'postgres://ledger@localhost/ledger';
const openOf = (env: NodeJS.ProcessEnv) => openAddresses(readConfig({ DATABASE_URL, ...env }));

test('by default only the machine itself reaches a worker', () => {
  expect(openOf({})).toEqual([]);
  for (const address of ['127.0.0.1:50051', '127.1.2.3:50051', 'localhost:50051', '[::1]:50051'])
    expect([address, ...openOf({ LISTEN_ADDRESS: address, ADMIN_ADDRESS: address })]).toEqual([address]);
});

test.each([
  '0.0.0.0:50051',
  '[::]:50051',
  '10.0.0.5:50051',
  'worker:50051',
  'localhost.example:50051',
  '127.0.0.1.example:1',
])('%s is open to other machines, except with mutual TLS', (address) => {
  expect(openOf({ LISTEN_ADDRESS: address })).toEqual(['LISTEN_ADDRESS']);
  expect(openOf({ ADMIN_ADDRESS: address })).toEqual(['ADMIN_ADDRESS']);
  const files = { MTLS_CA_FILE: 'ca.pem', MTLS_CERT_FILE: 'cert.pem', MTLS_KEY_FILE: 'key.pem' };
  expect(openOf({ LISTEN_ADDRESS: address, ADMIN_ADDRESS: address, ...files })).toEqual([]);
});

test('the log warns of each open address, and names its variable', async () => {
  const logFile = join(logsDir, 'open-worker.log');
  const worker = await startWorker({ databaseUrl: system.databaseUrl, listenAddress: '0.0.0.0:0', logFile });
  await worker.stop();
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
  expect(warnings.map(({ address, msg }) => [address, msg.split(' ')[0]])).toEqual([
    ['0.0.0.0:0', 'LISTEN_ADDRESS'],
  ]);
  expect(warnings[0].msg).toContain('set MTLS_CA_FILE, MTLS_CERT_FILE and MTLS_KEY_FILE');
});
