/** A worker that accepts connections, does not respond, and wakes up after the requests have timed out. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { system } from '../../fixtures/system.ts';
import { startTcpServer } from '../../fixtures/tcp-server.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const FRAME_MS = 50;
const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;

/** The frames of HTTP/2 that a client sends, the first with the preface. */
async function* framesOf(client: Socket): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(0);
  let before = PREFACE_BYTES;
  for await (const more of client) {
    bytes = Buffer.concat([bytes, more]);
    while (bytes.length >= before + HEAD_BYTES) {
      const end = before + HEAD_BYTES + bytes.readUIntBE(before, 3);
      if (bytes.length < end) break;
      yield bytes.subarray(0, end);
      bytes = bytes.subarray(end);
      before = 0;
    }
  }
}

/** A proxy in front of the worker. While it sleeps, it accepts connections and buffers what is sent. */
async function startSleepingProxy() {
  const [host, port] = system.workerAddress.split(':') as [string, string];
  const clients = new Set<Socket>();
  const passOn = (client: Socket) => {
    const worker = connect({ host, port: Number(port) });
    worker.on('error', () => client.destroy());
    client.on('close', () => worker.destroy());
    worker.pipe(client);
    // Slow enough that the frames after a request arrive when the worker has finished it.
    const slowly = async () => {
      for await (const frame of framesOf(client)) {
        worker.write(frame);
        await Bun.sleep(FRAME_MS);
      }
    };
    void slowly().catch(() => worker.destroy());
  };
  let isAsleep = false;
  const server = await startTcpServer((client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    if (isAsleep) client.pause();
    else passOn(client);
  });
  return {
    address: server.address,
    fallAsleep() {
      isAsleep = true;
      for (const client of clients) client.destroy();
    },
    wake() {
      isAsleep = false;
      for (const client of clients) passOn(client);
    },
    close: server.close,
  };
}

test('a write that got 503 is not created by a worker that wakes up later', async () => {
  const worker = await startSleepingProxy();
  const env = { REQUEST_TIMEOUT_MS: '700' };
  const { url } = await startOwnGateway({ workerAddress: worker.address, env });
  const account = await TestAccount.create('pro', url);
  // The gateway caches the identity of the key.
  expect((await account.get('/api/v1/sources')).status).toBe(200);
  worker.fallAsleep();
  const responses = await Promise.all(Array.from({ length: 5 }, () => account.post(entry())));
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  worker.wake();
  const post = async () => (await account.post(entry({ description: 'later' }))).status;
  await until('a write is created', async () => (await post()) === 201);
  const stored = (await rowsOf(account.accountId)).map(({ description }) => description);
  expect(new Set(stored)).toEqual(new Set(['later']));
  worker.close();
});
