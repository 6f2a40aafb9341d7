/** A ledger in memory that is correct by construction, and histories of concurrent clients of it. */
import type {
  CreateResult,
  History,
  Page,
  Request,
  SentEntry,
  Sources,
  Transaction,
  Write,
} from '../../../clients/conformance/history.ts';
import { type Random, randomOf } from '../../../clients/conformance/history-random.ts';
import { byDateAndId } from '../../../clients/conformance/linear-pages.ts';

interface Stored extends Transaction {
  sourceId: string;
}

/** Executes one request after the other. */
export class Model {
  readonly #entries: Stored[] = [];
  readonly #byRef = new Map<string, Stored>();
  readonly #byKey = new Map<string, CreateResult>();
  #count = 0;

  constructor(
    private readonly sourceIds: readonly string[],
    private readonly cap: number,
  ) {}

  execute(request: Request): Request['response'] | string {
    switch (request.kind) {
      case 'write':
        return this.write(request);
      case 'page':
        return this.page(request);
      case 'sources':
        return this.sources();
    }
  }

  write({ sourceId, entries, idempotencyKey }: Write): CreateResult | string {
    const before = idempotencyKey === undefined ? undefined : this.#byKey.get(idempotencyKey);
    if (before) return before;
    const refs = new Set(entries.flatMap(({ externalRef }) => externalRef ?? []));
    const newRefs = [...refs].filter((ref) => !this.#byRef.has(ref)).length;
    const withoutRef = entries.filter(({ externalRef }) => externalRef === undefined).length;
    if (newRefs + withoutRef > 0 && this.#entries.length + newRefs + withoutRef > this.cap)
      return 'daily_cap';
    const result: CreateResult = { created: 0, deduplicated: 0, transactions: [], existing: [] };
    for (const { externalRef = null, category = null, description = null, ...rest } of entries) {
      const known = externalRef === null ? undefined : this.#byRef.get(externalRef);
      const id = known?.id ?? `id-${String(++this.#count).padStart(7, '0')}`;
      result[known ? 'existing' : 'transactions'].push({ id, externalRef });
      if (known) continue;
      const stored = { ...rest, id, sourceId, externalRef, category, description };
      this.#entries.push(stored);
      if (externalRef !== null) this.#byRef.set(externalRef, stored);
    }
    result.created = result.transactions.length;
    result.deduplicated = result.existing.length;
    if (idempotencyKey !== undefined) this.#byKey.set(idempotencyKey, result);
    return result;
  }

  page({ sourceId, from, to, after, limit }: Page): Page['response'] {
    const listed = this.#entries
      .filter((each) => each.sourceId === sourceId && !(from && each.date < from) && !(to && each.date > to))
      .filter((each) => !after || byDateAndId(after, each) < 0)
      .sort(byDateAndId);
    const transactions = listed.slice(0, limit).map(({ sourceId, ...transaction }) => transaction);
    return { transactions, nextCursor: listed.length > limit ? 'next' : null };
  }

  sources(): Sources['response'] {
    const countOf = (id: string) => this.#entries.filter(({ sourceId }) => sourceId === id).length;
    return { sources: this.sourceIds.map((id) => ({ id, transactionCount: countOf(id) })) };
  }
}

export interface Shape {
  seed: number;
  requests: number;
  clients: number;
  cap?: number;
  /** The share of requests without a response. */
  lost?: number;
  entriesMax?: number;
  /** The share of reads of the sources. */
  counts?: number;
  /** Whether every entry is read at the end. */
  readsAll?: boolean;
}

const SOURCES = ['house', 'flat'] as const;

/** A history of concurrent clients. Each request takes effect at a random moment between call and response. */
export function concurrentHistory(shape: Shape): History {
  const { seed, requests: size, clients, cap = 5_000, lost = 0.08, entriesMax = 5, counts = 0.1 } = shape;
  const random = randomOf(seed);
  const model = new Model(SOURCES, cap);
  const requests: Request[] = [];
  const events: { at: number; run(): void }[] = [];
  const sent: Write[] = [];
  const read: Page[] = [];

  for (let client = 0; client < clients; client++) {
    let now = random.int(0, 1_000) / 100;
    for (let n = client; n < size; n += clients) {
      const begun = now;
      const ended = begun + random.int(1, 1_000) / 100;
      const at = begun + (random.int(0, 1_000) / 1_000) * (ended - begun);
      now = ended + random.int(1, 200) / 100;
      events.push({ at: begun, run: () => call(n, begun, ended, at) });
    }
  }

  function call(n: number, begun: number, ended: number, at: number): void {
    const request = newRequest(`${n}`, begun);
    request.ended = ended;
    requests.push(request);
    const isLost = random.chance(lost);
    // Without a response it takes effect in time, late, or never.
    if (isLost && random.chance(0.3)) return;
    const late = isLost && random.chance(0.4) ? random.int(0, 5_000) / 100 : 0;
    schedule({
      at: at + late,
      run() {
        const response = model.execute(request);
        if (isLost) return;
        if (typeof response === 'string') request.refused = response;
        else Object.assign(request, { response });
      },
    });
  }

  function newRequest(name: string, begun: number): Request {
    const call = { accountId: 'account', name: `request ${name}`, begun, ended: begun };
    const sourceId = random.pick(SOURCES);
    if (random.chance(counts)) return { kind: 'sources', ...call };
    if (random.chance(0.5)) {
      const page: Page = { kind: 'page', ...call, sourceId, limit: random.int(1, 20), ...rangeOf(random) };
      const before = read.length > 0 && random.chance(0.4) ? random.pick(read) : undefined;
      const after = before?.response?.transactions.at(-1);
      const { from, to } = before ?? {};
      read.push(page);
      if (!before || !after) return page;
      const { kind, limit } = page;
      const filters = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      return {
        kind,
        ...call,
        sourceId: before.sourceId,
        limit,
        ...filters,
        after: { date: after.date, id: after.id },
      };
    }
    const write: Write = { kind: 'write', ...call, sourceId, entries: [] };
    const before = sent.length > 0 && random.chance(0.25) ? random.pick(sent) : undefined;
    if (
      before &&
      (before.idempotencyKey !== undefined || before.entries.every(({ externalRef }) => externalRef))
    ) {
      const { response, refused, ...again } = before;
      return { ...again, ...call };
    }
    if (random.chance(0.2)) write.idempotencyKey = `key ${name}`;
    const refs = sent
      .flatMap(({ entries }) => entries.flatMap(({ externalRef }) => externalRef ?? []))
      .slice(-50);
    for (let index = random.int(1, entriesMax); index > 0; index--) {
      const entry: SentEntry = {
        date: `2026-04-${String(random.int(1, 28)).padStart(2, '0')}`,
        type: random.pick(['income', 'expense']),
        amountPence: random.int(1, 1_000),
        description: `${name}/${index}`,
      };
      if (random.chance(0.6)) {
        entry.externalRef = refs.length > 0 && random.chance(0.3) ? random.pick(refs) : `${name}/${index}`;
      }
      write.entries.push(entry);
    }
    sent.push(write);
    return write;
  }

  const queue = events.sort((a, b) => a.at - b.at);
  function schedule(event: { at: number; run(): void }): void {
    let [low, high] = [0, queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((queue[middle]?.at ?? 0) <= event.at) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, event);
  }
  // Calls only append to the part of the queue that is still to come.
  let now = 0;
  for (let next = queue.shift(); next; next = queue.shift()) {
    now = Math.max(now, next.at);
    next.run();
  }
  const end = Math.max(now, ...requests.map(({ ended }) => ended)) + 1;
  for (const sourceId of shape.readsAll ? SOURCES : []) {
    const call = { accountId: 'account', name: `all of ${sourceId}`, begun: end, ended: end + 1 };
    const page: Page = { kind: 'page', ...call, sourceId, limit: Number.POSITIVE_INFINITY };
    requests.push(Object.assign(page, { response: model.page(page) }));
  }
  return { requests };
}

function rangeOf(random: Random): { from?: string; to?: string } {
  const day = `2026-04-${String(random.int(1, 28)).padStart(2, '0')}`;
  return random.pick([{}, { from: day }, { to: day }]);
}
