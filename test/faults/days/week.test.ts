/** A week of writes at the daily cap, held against the sentence about it in docs/api/limits.md. */
import { expect, setDefaultTimeout } from 'bun:test';
import { readPages } from '../../fixtures/paging.ts';
import { random } from '../random.ts';
import { dayTest } from './clock.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS, startOwnSystem } from './own-system.ts';
import { entry, newOwner, type Reply } from './owner.ts';

setDefaultTimeout(300_000);

const CAP = 5_000;
/** Over the beginning of summer time. */
const BEGIN = '2026-03-25T22:00Z';

const system = await startOwnSystem({ at: BEGIN });

/** A week as an observer sees it who knows only the rule, and what was sent and acknowledged. */
class Model {
  readonly #written: { sentAt: number; repliedAt: number; entries: number }[] = [];
  readonly #references = new Set<string>();
  /** As they were created. */
  readonly ids: { id: string; date: string }[] = [];

  newIn(batch: readonly { externalRef?: string }[]): number {
    const references = batch.flatMap(({ externalRef }) => externalRef ?? []);
    const unknown = new Set(references.filter((reference) => !this.#references.has(reference)));
    return batch.length - references.length + unknown.size;
  }

  /** The entries written in the 24 hours before a moment between these: the fewest and the most. */
  #lastDay({ sentAt, repliedAt }: Reply): [fewest: number, most: number] {
    const sum = (counts: (write: { sentAt: number; repliedAt: number }) => boolean) =>
      this.#written.filter(counts).reduce((total, { entries }) => total + entries, 0);
    return [
      sum((write) => write.sentAt > repliedAt - DAY_MS),
      sum((write) => write.repliedAt > sentAt - DAY_MS),
    ];
  }

  /** Fails unless the reply is the one that the rule demands, and remembers it. */
  expect(batch: readonly { externalRef?: string; date: string }[], reply: Reply): void {
    const created = this.newIn(batch);
    const [fewest, most] = this.#lastDay(reply);
    const { status, body } = reply;
    if (status === 429) {
      expect(body.error.code).toBe('daily_cap');
      expect(most + created).toBeGreaterThan(CAP);
      expect(body.error.remaining).toBeWithin(CAP - most, CAP - fewest + 1);
      return;
    }
    expect(status).toBe(created > 0 ? 201 : 200);
    expect([body.created, body.deduplicated]).toEqual([created, batch.length - created]);
    expect(created === 0 || fewest + created <= CAP).toBe(true);
    this.#written.push({ sentAt: reply.sentAt, repliedAt: reply.repliedAt, entries: created });
    const sent = batch.filter(({ externalRef }) => {
      const isKnown = externalRef !== undefined && this.#references.has(externalRef);
      if (externalRef !== undefined) this.#references.add(externalRef);
      return !isKnown;
    });
    const { transactions } = body as { transactions: { id: string }[] };
    for (const [n, { id }] of transactions.entries()) this.ids.push({ id, date: `${sent[n]?.date}` });
  }
}

dayTest(
  'in a week, exactly the requests that would cross the cap are refused, and each fits when it says',
  async () => {
    const owner = await newOwner(system);
    const model = new Model();
    const { int, chance } = random('week');
    let references = 0;
    const statuses: Record<number, number> = {};

    const post = async (batch: ReturnType<typeof entry>[]) => {
      const reply = await owner.post(batch);
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
      model.expect(batch, reply);
      return reply;
    };

    const end = Date.parse(BEGIN) + 7 * DAY_MS;
    while (system.clocks.postgres.now() < end) {
      const date = new Date(system.clocks.postgres.now()).toISOString().slice(0, 10);
      const withReferences = chance(0.5);
      const batch = Array.from({ length: int(1, 500) }, () => {
        if (!withReferences) return entry({ date });
        // One in five is known already, or twice in the batch.
        const n = chance(0.2) ? int(0, references) : ++references;
        return entry({ date, externalRef: `ref ${n}` });
      });
      const { status, body } = await post(batch);
      if (status === 429 && chance(0.3)) {
        const waitMs = body.error.retryAfterSeconds * SECOND_MS;
        if (waitMs > 2 * MINUTE_MS) {
          system.pass(waitMs - MINUTE_MS);
          expect((await post(batch)).status).toBe(429);
          system.pass(MINUTE_MS);
        } else system.pass(waitMs);
        expect((await post(batch)).status).toBe(201);
      } else if (chance(0.7)) system.pass(int(1, 150) * MINUTE_MS);
    }

    // Neither is rare.
    expect(Math.min(statuses[201] ?? 0, statuses[429] ?? 0)).toBeGreaterThan(20);
    expect(model.ids.length).toBeWithin(6 * CAP, 8 * CAP + 1);
    expect(await owner.transactionCount()).toBe(model.ids.length);
    const pages = await readPages(
      async (cursor) =>
        (
          await owner.request(
            `/sources/${owner.source}/transactions?limit=200${cursor ? `&cursor=${cursor}` : ''}`,
          )
        ).body,
      ({ nextCursor }) => nextCursor,
    );
    // Newest date first, and within a date the one that was created last.
    expect(pages.flatMap(({ transactions }) => transactions.map(({ id }: { id: string }) => id))).toEqual(
      model.ids.toReversed().map(({ id }) => id),
    );
  },
);
