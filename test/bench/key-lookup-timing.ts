/**
 * Does the time of a 401 response reveal how close a guessed key is to a stored one?
 *
 *   bun test/bench/key-lookup-timing.ts [--rounds N]
 *
 * Starts its own system and sends one request at a time: near misses (a stored key with its last secret characters changed
 * and a valid checksum), random keys, and random keys again as the control, which shows the noise. Each round has a random
 * order, so that other load on the machine affects all kinds equally. Prints medians and their ratio with the interval of
 * 95 % of its bootstrap replicates. An interval that includes 1 means no measurable difference.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { startSystem } from '../../local/system.ts';
import { isWellFormedApiKey, mintApiKey } from '../../proto/api-key.ts';
import { createAdminClient } from '../../proto/client.ts';
import { shuffled } from './accounts.ts';

const { rounds } = new Command('key-lookup-timing')
  .option('--rounds <n>', 'measured requests of each kind', Number, 4_000)
  .parse()
  .opts<{ rounds: number }>();

const CHECKSUM_LENGTH = 6;
const CHANGED_LENGTH = 3;
const REPLICATES = 2_000;

const dataDir = mkdtempSync(join(tmpdir(), 'ledger-timing-'));
const system = await startSystem({ dataDir });
try {
  const stored = await storedKey(system.adminAddress);
  const random = () => mintApiKey('ledger');
  const [near = [], one = [], another = []] = await measure([() => nearMiss(stored), random, random]);
  report('near misses against random keys', near, one);
  report('control: random keys against random keys', another, one);
} finally {
  await system.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function storedKey(adminAddress: string): Promise<string> {
  const admin = createAdminClient(adminAddress);
  const { accountId } = await admin.createAccount({ plan: 'pro' });
  const { key } = await admin.createKey({ accountId });
  admin.close();
  return key;
}

/** A key that differs from `stored` only in its last secret characters, with a valid checksum. */
function nearMiss(stored: string): string {
  const kept = stored.slice(0, -(CHECKSUM_LENGTH + CHANGED_LENGTH));
  const changed = mintApiKey('ledger').slice(-(CHECKSUM_LENGTH + CHANGED_LENGTH), -CHECKSUM_LENGTH);
  const key = kept + changed + checksum(kept + changed);
  if (!isWellFormedApiKey('ledger', key)) throw new Error('the checksum of a near miss is wrong');
  return key === stored ? nearMiss(stored) : key;
}

/** CRC-32 in base62: the last characters of a key. */
function checksum(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let rest = Bun.hash.crc32(text);
  return Array.from({ length: CHECKSUM_LENGTH }, () => {
    const digit = digits[rest % 62];
    rest = Math.floor(rest / 62);
    return digit;
  })
    .reverse()
    .join('');
}

/** Times of 401 responses in µs for each generator of keys, in rounds of random order. */
async function measure(generators: (() => string)[]): Promise<number[][]> {
  const times: number[][] = generators.map(() => []);
  const warmUp = Math.ceil(rounds / 10);
  for (let round = -warmUp; round < rounds; round++) {
    for (const kind of shuffled([...generators.keys()])) {
      const time = await timeOf401(generators[kind]?.() ?? '');
      if (round >= 0) times[kind]?.push(time);
    }
  }
  return times;
}

async function timeOf401(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const begun = Bun.nanoseconds();
  const response = await fetch(`${system.url}/api/v1/me`, { headers });
  await response.arrayBuffer();
  const time = (Bun.nanoseconds() - begun) / 1000;
  if (response.status !== 401) throw new Error(`a guessed key got ${response.status}`);
  return time;
}

function report(name: string, a: number[], b: number[]): void {
  const replicates = Array.from({ length: REPLICATES }, () => median(resample(a)) / median(resample(b))).sort(
    (x, y) => x - y,
  );
  const at = (share: number) => replicates[Math.floor(share * (REPLICATES - 1))]?.toFixed(4);
  const [left, right] = [median(a), median(b)];
  console.log(
    `${name}: medians ${left.toFixed(1)} and ${right.toFixed(1)} µs, ` +
      `ratio ${(left / right).toFixed(4)} (95 %: ${at(0.025)} to ${at(0.975)}), ${a.length} each`,
  );
}

function resample(times: number[]): Float64Array {
  return Float64Array.from(times, () => times[Math.floor(Math.random() * times.length)] ?? 0);
}

function median(times: ArrayLike<number>): number {
  const sorted = Float64Array.from(times).sort();
  return (
    ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) /
    2
  );
}
