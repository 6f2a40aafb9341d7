/**
 * How much CPU time can a costly body cost the gateway?
 *
 *   bun test/bench/body-cost.ts [--posts N]
 *
 * Starts its own system. Sends each body of test/hostile/costly-bodies.ts (5 MiB) several times, and a valid body of the
 * same size in between. Prints the gateway's CPU time for the ten costliest and the valid body, per MiB and as a ratio. Then
 * sends three and eight of the costliest at once and prints the latency of /healthz in the meantime.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { startSystem } from '../../local/system.ts';
import { createAdminClient } from '../../proto/client.ts';
import { COSTLY_BODIES, validBody } from '../hostile/costly-bodies.ts';
import { cpuBetween, cpuSeconds } from './cpu.ts';
import { latency, spread } from './statistics.ts';

const { posts } = new Command('body-cost')
  .option('--posts <n>', 'requests for each body: at most 9, because of the daily cap', Number, 5)
  .parse()
  .opts<{ posts: number }>();

const MIB = 5;
const SIZE = MIB * 1024 * 1024;
const SHOWN = 10;
const VALID_EVERY = 10;

const dataDir = mkdtempSync(join(tmpdir(), 'ledger-body-cost-'));
const system = await startSystem({ dataDir });
const admin = createAdminClient(system.adminAddress);
try {
  const costliest = await compareCosts();
  const body = (COSTLY_BODIES[costliest] ?? validBody)(SIZE);
  for (const count of [0, 3, 8]) await watchHealth(count, body);
} finally {
  admin.close();
  await system.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** @returns the name of the costliest body */
async function compareCosts(): Promise<string> {
  const costs: { name: string; ms: number }[] = [];
  const valid = [await cost(validBody)];
  for (const [name, body] of Object.entries(COSTLY_BODIES)) {
    costs.push({ name, ms: await cost(body) });
    if (costs.length % VALID_EVERY === 0) valid.push(await cost(validBody));
  }
  costs.sort((one, other) => other.ms - one.ms);
  const { median } = spread(valid);
  for (const { name, ms } of [...costs.slice(0, SHOWN), { name: 'a valid body (median)', ms: median }]) {
    console.log(`${(ms / MIB).toFixed(1)} ms per MiB, ${(ms / median).toFixed(2)} of a valid body: ${name}`);
  }
  return costs[0]?.name ?? '';
}

/** CPU time of the gateway for one request, in ms. */
async function cost(body: (size: number) => Buffer): Promise<number> {
  const bytes = body(SIZE);
  const post = await newClient();
  await post(bytes);
  const before = cpuSeconds(system.pids);
  for (let n = 0; n < posts; n++) await post(bytes);
  const seconds = cpuBetween(before, cpuSeconds(system.pids))?.gateway ?? Number.NaN;
  return (seconds * 1_000) / posts;
}

/** Prints the latency of /healthz while `count` clients each send `body` once, at the same time. */
async function watchHealth(count: number, body: Buffer): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, newClient));
  const times: number[] = [];
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const begun = performance.now();
      await (await fetch(`${system.url}/healthz`)).text();
      times.push(performance.now() - begun);
      await Bun.sleep(1);
    }
  };
  const watching = watch();
  await Promise.all([Bun.sleep(500), ...clients.map((post) => post(body))]);
  isOver = true;
  await watching;
  const { p50, p99 } = latency(Float64Array.from(times));
  const figures = [p50, p99, Math.max(...times)].map((ms) => ms.toFixed(1));
  console.log(`/healthz with ${count} costly bodies at once: p50, p99, longest ${figures.join(', ')} ms`);
}

/** Creates an account with a key. Returns a function that posts bytes to its source. */
async function newClient(): Promise<(body: Buffer) => Promise<void>> {
  const { accountId } = await admin.createAccount({ plan: 'pro' });
  const { id } = await admin.createSource({
    accountId,
    type: 'uk-property',
    name: 'Bench',
    role: 'owner',
    sharePercent: 100,
  });
  const { key } = await admin.createKey({ accountId });
  const url = `${system.url}/api/v1/sources/${id}/transactions`;
  return async (body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', body, headers });
    const text = await response.text();
    if (![201, 400, 422].includes(response.status)) throw new Error(`${response.status}: ${text}`);
  };
}
