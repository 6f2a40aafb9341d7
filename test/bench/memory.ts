/**
 * Memory of the gateway and the worker, from /proc, so on Linux only, under the load that takes most of it: batches and pages of maximum
 * size and slow bodies, all at once.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { LIMITS } from '../../proto/domain.ts';
import { newEntries } from './entries.ts';
import { openConnection, type Request } from './load.ts';
import { httpRequest, pageRequest, postRequest } from './requests.ts';
import { type Caller, rotation, type Target } from './target.ts';

const MINUTE_MS = 60_000;

/** MiB, by docs/operations.md with the default configuration. */
const MEMORY_BOUNDS = { gateway: 256 + 8 * 64, 'ledger worker': 256 + 4 * 64 };

// The same accounts again and again: their batches are known, so that the books do not grow.
const WRITING_ACCOUNTS = 400;
const WORST_CLIENTS = 32;
const BATCH_CLIENTS = 64;
const PAGE_CLIENTS = 128;
const SLOW_CLIENTS = 64;
const PAGE = 200;
// A refused client pauses as the library does.
const PAUSE_MS = 250;
const SLOW_CHUNK = Buffer.alloc(64 * 1024, ' ');
const SLOW_EVERY_MS = 500;

/** The costliest body that is allowed: entries of maximum length, every character an escape, in a body of maximum size. */
const WORST_BODY =
  `[${Array.from({ length: LIMITS.entriesPerRequest }, (_, index) => worstEntry(index)).join()}]`.padEnd(
    LIMITS.bodyBytesMax,
  );

/**
 * Prints the resident memory of the gateway and the worker, and the highest since their start, after each minute of the heaviest
 * load.
 * @throws Error when a process exceeded its bound
 */
export async function memoryByMinute(target: Target, minutes: number): Promise<void> {
  const end = new AbortController();
  const load = heaviestLoad(target, end.signal);
  const mebibytes = (name: string, field: string) => {
    const status = readFileSync(`/proc/${target.pids.get(name)}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  };
  for (let minute = 1; minute <= minutes; minute++) {
    await Bun.sleep(MINUTE_MS);
    const figures = Object.keys(MEMORY_BOUNDS).map((name) => {
      const [now, highest] = ['VmRSS', 'VmHWM'].map((field) => mebibytes(name, field).toFixed(0));
      return `${name} ${now} MiB, highest ${highest}`;
    });
    console.log(`minute ${minute}: ${figures.join('; ')}`);
  }
  end.abort();
  console.log(JSON.stringify(await load));
  for (const [name, bound] of Object.entries(MEMORY_BOUNDS)) {
    const highest = mebibytes(name, 'VmHWM');
    if (!(highest <= bound))
      throw new Error(`the ${name} took ${highest.toFixed(0)} MiB, more than ${bound}`);
  }
}

/** Runs until `signal` aborts. @returns the number of responses by result */
async function heaviestLoad({ url, accounts }: Target, signal: AbortSignal): Promise<Record<string, number>> {
  const responses: Record<string, number> = {};
  const writers = accounts.writers.slice(0, WRITING_ACCOUNTS);
  const batches = new Map(
    writers.map(([caller]) => [caller?.accountId, newEntries(LIMITS.entriesPerRequest)]),
  );
  const [next, nextReader] = [rotation(writers), rotation(accounts.readers)];
  const client = async (name: string, render: () => Request) => {
    const connection = await openConnection(url);
    while (!signal.aborted) {
      const status = await new Promise<string>((resolve) => connection.send(render(), resolve));
      responses[`${name}: ${status}`] = (responses[`${name}: ${status}`] ?? 0) + 1;
      if (!/^20/.test(status)) await Bun.sleep(PAUSE_MS);
    }
    connection.close();
  };
  const batchOf = (account: Caller) => postRequest(account, batches.get(account.accountId) ?? [], '200');
  // Every account gets the same entries, so the second of its batches is known.
  const worstOf = ({ key, sourceId }: Caller) =>
    httpRequest(`/api/v1/sources/${sourceId}/transactions`, key, '201', WORST_BODY);
  const clients = (count: number, name: string, render: () => Request) =>
    Array.from({ length: count }, () => client(name, render));
  await Promise.all([
    ...clients(WORST_CLIENTS, 'worst batch', () => worstOf(next())),
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
    `Content-Type: application/json\r\nContent-Length: ${LIMITS.bodyBytesMax}\r\n\r\n`;
  while (!signal.aborted) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    socket.resume();
    socket.write(head);
    while (!signal.aborted && !socket.destroyed && socket.bytesWritten < LIMITS.bodyBytesMax) {
      socket.write(SLOW_CHUNK);
      await Bun.sleep(SLOW_EVERY_MS);
    }
    socket.destroy();
    await Bun.sleep(PAUSE_MS);
  }
}

function worstEntry(index: number): string {
  const number = String(index).padStart(6, '0');
  // Two escapes of six bytes each.
  const widest = '🏠';
  const members = {
    date: '2026-04-06',
    type: 'expense',
    category: 'residentialFinancialCostsCarriedForward',
    description: widest.repeat(LIMITS.descriptionMax),
    externalRef: number + widest.repeat(LIMITS.externalRefMax - number.length),
  };
  const texts = Object.entries(members).map(([name, value]) => `"${escaped(name)}":"${escaped(value)}"`);
  return `{"${escaped('amountPence')}":${Number.MAX_SAFE_INTEGER},${texts.join()}}`;
}

function escaped(text: string): string {
  const unit = (at: number) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return Array.from({ length: text.length }, (_, at) => unit(at)).join('');
}
