/** Load on a service while something happens to it, and what must be true of its entries afterwards. */
import { expect } from 'bun:test';
import type { LoadOptions, LoadReport } from './load.ts';

const RATE = 30;

interface LoadedService {
  url: string;
  keys: LoadOptions['keys'];
  /** Runs load.ts. @returns its output */
  load(options: LoadOptions): Promise<string>;
  query(sql: string): Promise<string[]>;
}

/** The load on one service, with the references of all entries that it has acknowledged. */
export function loadOn({ url, keys, load, query }: LoadedService) {
  const acknowledged = new Set<string>();
  return {
    /** The load of so many seconds, during which the work is done. */
    async during(seconds: number, work: () => Promise<unknown>): Promise<LoadReport> {
      const output = load({ url, seconds, rate: RATE, keys });
      // For the load to begin: it is in another process, which says nothing before its end.
      await Bun.sleep(2_000);
      await work();
      const report: LoadReport = JSON.parse(await output);
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
      expect([...acknowledged.difference(new Set(stored))]).toEqual([]);
    },
  };
}
