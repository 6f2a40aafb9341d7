/** A push of compared files against the real service, while others push: nothing is stored twice, and what has changed goes back to the user. */

import { expect, test } from 'bun:test';
import { readImportFile } from '../../../../clients/typescript/import/index.ts';
import { Ledger, LedgerError, type PushOptions } from '../../../../clients/typescript/index.ts';
import { compare } from '../../../../clients/typescript/match/compare.ts';
import { NO_DECISIONS } from '../../../../clients/typescript/match/decision.ts';
import { readBooks } from '../../../../clients/typescript/match/stored-books.ts';
import { pushCompared } from '../../../../clients/typescript/push/push-compared.ts';
import { TestAccount } from '../../../fixtures/client.ts';
import { use } from '../../../fixtures/day.ts';
import { system } from '../../../fixtures/system.ts';
import { startProxy } from '../../proxy.ts';
import { typedRows } from '../../typed-rows.ts';

const ROWS = ['2026-10-01,RENT,1000.00', '2026-10-02,SHOP,-12.99', '2026-10-03,AGENT,880.00'];
const WHOLE = 'otherwise -> uk-property';
const SPLIT = `description is "AGENT" -> uk-property / split: expense other 12 % of gross, rest periodAmount\n${WHOLE}`;

async function landlord() {
  const account = await TestAccount.create();
  const ledger = new Ledger({ url: system.url, apiKey: account.key });
  const sources = await ledger.sources();
  const books = () => readBooks(ledger, sources);
  const statement = (rows: readonly string[], rules: string | undefined, source?: string) =>
    readImportFile(new TextEncoder().encode([...typedRows('Date,Description,Amount', rows), ''].join('\n')), {
      rules,
      sources,
      source,
    });
  /** What a person sees. @param by rules, or the name of the source of all rows */
  const shown = async (by: string, rows: readonly string[] = ROWS) => {
    const source = sources.find(({ name }) => name === by);
    const files = [{ name: 'a.csv', result: await statement(rows, source ? undefined : by, source?.id) }];
    return compare(files, await books(), { source, decisions: NO_DECISIONS });
  };
  const push = async (rules: string, rows: readonly string[] = ROWS) =>
    pushCompared(ledger, await shown(rules, rows));
  const stored = async () => {
    const entries = [...(await books()).byId.values()];
    return entries.map(({ stored: { description, amountPence } }) => `${description} ${amountPence}`).sort();
  };
  return { account, ledger, sources, shown, push, stored };
}

/** The ledger before another push: it finds no entries until all sources have been read once. */
const beforeOthers = (ledger: Ledger): Pick<Ledger, 'push' | 'transactions'> => {
  const read = new Set<string>();
  return {
    push: (...args) => ledger.push(...args),
    async *transactions(source, options) {
      if (read.has(source)) yield* ledger.transactions(source, options);
      read.add(source);
    },
  };
};

const statuses = ({ outcomes }: { outcomes: ({ status: string } | undefined)[] }) =>
  outcomes.map((outcome) => outcome?.status);

test('a row that another push has stored by other rules since it was shown is not sent, and goes back to the user', async () => {
  const { ledger, shown, push, stored } = await landlord();
  const before = await shown(WHOLE);
  await push(SPLIT);
  const sent = await pushCompared(ledger, before);
  expect(statuses(sent)).toEqual(['known', 'known', 'conflict']);
  expect(sent.changed.map(({ row }) => row)).toEqual([4]);
  expect([sent.created, sent.remaining]).toEqual([0, 0]);
  expect(await stored()).toEqual(['AGENT 100000', 'AGENT 12000', 'RENT 100000', 'SHOP 1299']);
});

test('a row that has become a correction of a stored entry since it was shown is not sent', async () => {
  const { ledger, shown, push, stored } = await landlord();
  const before = await shown(WHOLE);
  await push(WHOLE, [ROWS[0] as string, '2026-10-02,SHOP,-129.90']);
  const sent = await pushCompared(ledger, before);
  expect(statuses(sent)).toEqual(['known', 'probably a correction', 'created']);
  expect(sent.changed.map(({ row }) => row)).toEqual([3]);
  expect(await stored()).toEqual(['AGENT 88000', 'RENT 100000', 'SHOP 12990']);
});

test.each([
  ['whole, after it was split', WHOLE, SPLIT],
  ['in parts, after it was stored whole', SPLIT, WHOLE],
  ['in other parts', SPLIT.replace('12 %', '10 %'), SPLIT],
])('between the comparison and the request, the service itself refuses a row %s', async (_, rules, other) => {
  const { ledger, shown, push, stored } = await landlord();
  const before = await shown(rules);
  await push(other);
  const now = await stored();
  const sent = await pushCompared(beforeOthers(ledger), before);
  expect(sent.outcomes.some((outcome) => outcome?.status === 'conflict')).toBe(true);
  expect(await stored()).toEqual(now);
});

test('equal payments of two properties that are pushed at the same time are stored in both', async () => {
  const { ledger, shown, push, stored } = await landlord();
  const before = await shown('uk-property');
  await push('self-employment');
  const sent = await pushCompared(beforeOthers(ledger), before);
  expect(statuses(sent)).toEqual(['created', 'created', 'created']);
  expect(await stored()).toHaveLength(6);
  expect(statuses(await push('uk-property'))).toEqual(['known', 'known', 'known']);
  expect(await stored()).toHaveLength(6);
});

test('after a wait the books are read again before anything is sent', async () => {
  const { ledger, shown, push, stored } = await landlord();
  const before = await shown(WHOLE);
  let pushes = 0;
  /** The daily cap, which the service has for a day. */
  const waiting: Pick<Ledger, 'push' | 'transactions'> = {
    transactions: (...args) => ledger.transactions(...args),
    async push(source, entries, options: PushOptions = {}) {
      if (pushes++ > 0) return ledger.push(source, entries, options);
      await push(SPLIT);
      const until = new Date(Date.now() + 1_500);
      const total = [...entries].length;
      const progress = { settled: 0, total, created: 0, deduplicated: 0 };
      options.onProgress?.({ ...progress, pause: { reason: 'daily_cap', until } });
      return {
        outcomes: [],
        created: 0,
        deduplicated: 0,
        remaining: total,
        unknown: 0,
        stoppedBy: 'interrupted',
        fitsNow: undefined,
        retryAt: undefined,
      };
    },
  };
  const sent = await pushCompared(waiting, before);
  expect([statuses(sent), sent.stoppedBy]).toEqual([['known', 'known', 'conflict'], undefined]);
  // The service has not refused it: nothing of it was sent.
  expect(sent.changed.map(({ row }) => row)).toEqual([4]);
  expect(await stored()).toEqual(['AGENT 100000', 'AGENT 12000', 'RENT 100000', 'SHOP 1299']);
});

test('an interruption stops it, and the rest is sent by the next push', async () => {
  const { ledger, shown, push, stored } = await landlord();
  const signal = AbortSignal.abort();
  const sent = await pushCompared(ledger, await shown(WHOLE), { signal });
  expect([sent.stoppedBy, sent.remaining, await stored()]).toEqual(['interrupted', 3, []]);
  expect((await push(WHOLE)).created).toBe(3);
});

test('an interruption while the books are read sends nothing', async () => {
  const { ledger, sources, shown, stored } = await landlord();
  const interrupt = new AbortController();
  const interrupted: Pick<Ledger, 'push' | 'transactions'> = {
    push: (...args) => ledger.push(...args),
    async *transactions(source, options) {
      yield* ledger.transactions(source, options);
      if (source === sources.at(-1)?.id) interrupt.abort();
    },
  };
  const sent = await pushCompared(interrupted, await shown(WHOLE), { signal: interrupt.signal });
  expect([sent.stoppedBy, sent.remaining, await stored()]).toEqual(['interrupted', 3, []]);
});

test('an interruption after the last response has stopped nothing', async () => {
  const { ledger, shown } = await landlord();
  const interrupt = new AbortController();
  const interrupted: Pick<Ledger, 'push' | 'transactions'> = {
    transactions: (...args) => ledger.transactions(...args),
    push: (...args) => ledger.push(...args).finally(() => interrupt.abort()),
  };
  const sent = await pushCompared(interrupted, await shown(WHOLE), { signal: interrupt.signal });
  expect([sent.stoppedBy, sent.remaining, sent.created]).toEqual([undefined, 0, 3]);
});

test('a row whose reference another source takes again and again, right before each request, is stored in the end', async () => {
  const { ledger, sources, shown, push, stored } = await landlord();
  const [row = ''] = ROWS;
  const before = await shown('uk-property', [row]);
  await push('self-employment', [row]);
  const other = sources.find(({ name }) => name === 'self-employment')?.id;
  let comparisons = 0;
  /** The equal entry of the other source is removed and stored again in turn. No request can remove it. */
  const raced: Pick<Ledger, 'push' | 'transactions'> = {
    push: (...args) => ledger.push(...args),
    async *transactions(source, options) {
      const isRemoved = source === other && ++comparisons % 2 === 1 && comparisons <= 12;
      if (!isRemoved) yield* ledger.transactions(source, options);
    },
  };
  const pushed = await pushCompared(raced, before);
  expect([statuses(pushed), pushed.remaining, comparisons]).toEqual([['created'], 0, 13]);
  expect(await stored()).toHaveLength(2);
});

test('an error of a later write points at its entry among all entries of the files', async () => {
  const { account, shown } = await landlord();
  const rows = Array.from({ length: 1_000 }, (_, index) => `2026-10-02,FEE ${index},-1.00`);
  const before = await shown(`description is "RENT" -> self-employment\n${WHOLE}`, [
    ROWS[0] as string,
    ...rows,
  ]);
  // RENT and the first write of fees leave 400 of the daily cap.
  await use(account, 4_099);
  let writes = 0;
  await using proxy = await startProxy(({ method }) =>
    method === 'POST' && ++writes === 3 ? 'drop request' : 'pass',
  );
  const ledger = new Ledger({ url: proxy.url, apiKey: account.key });
  const { error, created } = await pushCompared(ledger, before, { wait: false });
  expect([created, error?.code, error?.index]).toEqual([501, 'daily_cap', 901]);

  const unread: Pick<Ledger, 'push' | 'transactions'> = {
    push: (...args) => ledger.push(...args),
    async *transactions(...args) {
      if (writes > 3) throw new LedgerError('unreachable', 'The books cannot be read.');
      yield* ledger.transactions(...args);
    },
  };
  writes = 2;
  const unknown = await pushCompared(unread, before, { wait: false });
  expect([unknown.error?.code, unknown.error?.index]).toEqual(['unknown_outcome', 901]);
});
