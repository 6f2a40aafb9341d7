/** The load that takes most memory: batches and pages of maximum size and slow bodies, all at once. */
import { connect } from 'node:net';
import type { Request } from './connection.ts';
import { newEntries } from './entries.ts';
import { httpConnection } from './http-load.ts';
import { pageRequest, postRequest } from './requests.ts';
import { type Caller, rotation, type Target } from './target.ts';
import { worstBatch } from './worst-batch.ts';

// The same accounts again and again: their batches are known, so that the books do not grow.
const WRITING_ACCOUNTS = 400;
const WORST_CLIENTS = 32;
const BATCH_CLIENTS = 64;
const PAGE_CLIENTS = 128;
const SLOW_CLIENTS = 64;
const PAGE = 200;
const BATCH = 500;
// A refused client pauses as the library does.
const PAUSE_MS = 250;
const SLOW_CHUNK = Buffer.alloc(64 * 1024, ' ');
const SLOW_EVERY_MS = 500;
const SLOW_BYTES = 5 * 1024 * 1024;

/** Runs until `signal` aborts. @returns the number of responses by result */
export async function heaviestLoad(
  { url, accounts }: Target,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const responses: Record<string, number> = {};
  const writers = accounts.writers.slice(0, WRITING_ACCOUNTS);
  const batches = new Map(writers.map(([caller]) => [caller?.accountId, newEntries(BATCH)]));
  const [next, nextReader] = [rotation(writers), rotation(accounts.readers)];
  const client = async (name: string, render: () => Request) => {
    const connection = await httpConnection(url);
    while (!signal.aborted) {
      const result = await new Promise<string>((resolve) => connection.send(render(), resolve));
      responses[`${name}: ${result}`] = (responses[`${name}: ${result}`] ?? 0) + 1;
      if (!/^20/.test(result)) await Bun.sleep(PAUSE_MS);
    }
    connection.close();
  };
  const batchOf = (account: Caller) => postRequest(account, batches.get(account.accountId) ?? [], '200');
  const clients = (count: number, name: string, render: () => Request) =>
    Array.from({ length: count }, () => client(name, render));
  await Promise.all([
    ...clients(WORST_CLIENTS, 'worst batch', () => worstBatch(next())),
    ...clients(BATCH_CLIENTS, 'batch', () => batchOf(next())),
    ...clients(PAGE_CLIENTS, 'page', () => pageRequest(nextReader(), PAGE)),
    ...Array.from({ length: SLOW_CLIENTS }, () => slowClient(url, next(), signal)),
  ]);
  return responses;
}

/** Sends bodies that arrive slowly. Opens another connection when the server closes one. */
async function slowClient(url: string, { key, sourceId }: Caller, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  const head =
    `POST /api/v1/sources/${sourceId}/transactions HTTP/1.1\r\nHost: ledger\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${SLOW_BYTES}\r\n\r\n`;
  while (!signal.aborted) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    socket.resume();
    socket.write(head);
    while (!signal.aborted && !socket.destroyed && socket.bytesWritten < SLOW_BYTES) {
      socket.write(SLOW_CHUNK);
      await Bun.sleep(SLOW_EVERY_MS);
    }
    socket.destroy();
    await Bun.sleep(PAUSE_MS);
  }
}
