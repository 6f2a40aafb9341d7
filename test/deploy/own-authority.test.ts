/** The authority of docs/deploying.md, and two workers behind one address. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { startGateway, startWorker } from '../../local/system.ts';
import { runToEnd, temporaryDirectory } from '../fixtures/checkout.ts';
import { system } from '../fixtures/system.ts';
import { commandsUnder } from './runbook.ts';

setDefaultTimeout(120_000);

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

test.skipIf(Bun.which('openssl') === null)(
  'workers and gateways accept the certificates that the page makes, and no others',
  async () => {
    const directory = temporaryDirectory();
    const [commands = ''] = commandsUnder('deploying.md', 'TLS');
    const { exitCode, err } = await runToEnd(['sh', '-e', '-c', commands], { cwd: directory });
    expect([exitCode, err]).toEqual([0, expect.anything()]);
    const filesOf = (part: string) => ({
      MTLS_CA_FILE: join(directory, 'authority.pem'),
      MTLS_CERT_FILE: join(directory, `${part}.pem`),
      MTLS_KEY_FILE: join(directory, `${part}.key`),
    });
    const start = async () => {
      const worker = await startWorker({ databaseUrl: system.databaseUrl, env: filesOf('worker') });
      undo.push(worker.stop);
      return worker.address;
    };
    const workerAddress = `ipv4:${await start()},${await start()}`;
    const gateway = await startGateway({ workerAddress, env: filesOf('gateway') });
    undo.push(gateway.stop);
    const plain = await startGateway({ workerAddress, readyStatus: 503 });
    undo.push(plain.stop);
  },
);
