/** Histories that a correct ledger in memory has made, as they are and with one forged response. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { History, Page, Request, Sources, Write } from '../../../clients/conformance/history.ts';
import { type Random, randomOf } from '../../../clients/conformance/history-random.ts';
import { checkLinearizability } from '../../../clients/conformance/linearizability.ts';
import { concurrentHistory } from './linear-model.ts';

const SHAPE = {
  seed: fc.nat(),
  requests: fc.integer({ min: 2, max: 80 }),
  clients: fc.integer({ min: 1, max: 12 }),
  cap: fc.constantFrom(20, 60, 5_000),
  lost: fc.constantFrom(0, 0.08, 0.4),
  counts: fc.constantFrom(0, 0.1, 0.3),
};

test('every history of concurrent clients of a correct ledger is accepted', () => {
  fc.assert(
    fc.property(fc.record(SHAPE), (shape) => {
      expect(checkLinearizability(concurrentHistory(shape), { cap: shape.cap }).verdict).toBe('linearizable');
    }),
    { numRuns: 1_000 },
  );
});

type Forge = (random: Random, request: never) => void;

/** Changes of one response, as a broken ledger may make them. */
const FORGERIES: Record<string, Forge> = {
  'a page lacks an entry': (random, { response }: Required<Page>) => {
    response.transactions.splice(random.int(0, response.transactions.length - 1), 1);
  },
  'a page is empty': (_, page: Page) => {
    page.response = { transactions: [], nextCursor: null };
  },
  'a count differs': (random, { response }: Required<Sources>) => {
    random.pick(response.sources).transactionCount += random.pick([-2, -1, 1, 2]);
  },
  'an entry is created again': (random, { response }: Required<Write>) => {
    random.pick(response.transactions).id += ' again';
  },
};

function canBeForged(kind: string, request: Request): boolean {
  switch (request.kind) {
    case 'page':
      return kind.startsWith('a page') && (request.response?.transactions.length ?? 0) > 0;
    case 'sources':
      return kind.startsWith('a count') && request.response !== undefined;
    case 'write':
      return kind.startsWith('an entry') && (request.response?.created ?? 0) > 0;
  }
}

// The rest no client can notice: nobody reads the entry afterwards, or the request overlaps a write.
const FOUND_PERCENT_MIN = 70;

test.each(Object.entries(FORGERIES))('most histories are refused in which %s', (kind, forge: Forge) => {
  const shape = { seed: fc.nat(), requests: fc.constant(60), clients: fc.integer({ min: 2, max: 8 }) };
  let [found, of] = [0, 0];
  for (const each of fc.sample(fc.record(shape), { numRuns: 300, seed: 1 })) {
    const history: History = structuredClone(concurrentHistory(each));
    const requests = history.requests.filter((request) => canBeForged(kind, request));
    if (requests.length === 0) continue;
    const random = randomOf(each.seed);
    forge(random, random.pick(requests) as never);
    of++;
    if (checkLinearizability(history).verdict === 'not linearizable') found++;
  }
  const percent = Math.round((100 * found) / of);
  console.log(`${kind}: ${percent} % of ${of} are refused`);
  expect(percent).toBeGreaterThan(FOUND_PERCENT_MIN);
});
