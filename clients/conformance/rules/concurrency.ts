/** Rules about requests at the same time (docs/api/references.md). */
import type { Exchange, Json } from '../exchange.ts';
import { expectSame, expectStatus, expectThat } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';

const PAGE = 'docs/api/references.md';

/** Fails unless each reference was created once, and every response names the same id for it. */
function expectOneCreatorEach(responses: Exchange[], references: unknown[]): void {
  const ids = new Map<unknown, string>();
  for (const response of responses) {
    expectStatus(response, 200, 201);
    for (const { externalRef, id } of response.body.transactions) {
      expectThat(response, !ids.has(externalRef), `${externalRef} to be created once`);
      ids.set(externalRef, id);
    }
  }
  for (const response of responses) {
    for (const { externalRef, id } of response.body.existing) {
      expectSame(response, id, ids.get(externalRef), `the id of ${externalRef}`);
    }
  }
  const [last] = responses.slice(-1);
  if (last) expectSame(last, [...ids.keys()].sort(), references.toSorted(), 'the created references');
}

export const concurrencyRules: ConformanceRule[] = [
  {
    id: 'concurrency.one-reference',
    page: PAGE,
    sentence:
      'Of 8 requests at the same time with one reference one creates the entry, and the others have its id.',
    async check(context) {
      const sent = context.entry(context.day());
      const responses = await Promise.all(Array.from({ length: 8 }, () => context.account.post(sent)));
      expectOneCreatorEach(responses, [sent.externalRef]);
      const { entries, last } = await context.account.list([sent.date]);
      expectSame(last, entries.length, 1, 'the number of stored entries');
    },
  },
  {
    id: 'concurrency.overlapping-batches',
    page: PAGE,
    sentence: 'Overlapping batches in opposite orders at the same time create each entry once.',
    async check(context) {
      const date = context.day();
      const all = context.entries(date, 40);
      const parts = Array.from({ length: 8 }, (_, n) => {
        const part = all.slice((n % 4) * 10, (n % 4) * 10 + 20);
        return n % 2 === 0 ? part : part.toReversed();
      });
      const responses = await Promise.all(parts.map((part) => context.account.post(part)));
      expectOneCreatorEach(
        responses,
        all.map(({ externalRef }) => externalRef),
      );
      const { entries, last } = await context.account.list([date]);
      const stored = entries.map(({ externalRef }: Json) => externalRef).sort();
      expectSame(last, stored, all.map(({ externalRef }) => externalRef).sort(), 'the stored references');
    },
  },
];
