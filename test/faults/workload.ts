/** The operations that clients send, chosen by a seed. */
import { CATEGORIES, type Category, ENTRY_TYPES, LIMITS, SOURCE_TYPES } from '../../proto/domain.ts';
import type { Account } from './accounts.ts';
import type { Operation, SentEntry } from './history.ts';
import type { Random } from './random.ts';

type Refs = 'none' | 'all' | 'some';

/** Generates the operations of one account. Later ones repeat and overlap earlier ones. */
export class Workload {
  readonly #sent: Operation[] = [];
  #count = 0;

  constructor(
    /** The prefix of this account's tags. */
    readonly name: string,
    readonly account: Account,
    private readonly random: Random,
  ) {}

  next(): Operation {
    const { random } = this;
    const dice = random.int(1, 100);
    if (dice <= 40) return this.batch(random.int(1, 10), random.pick(['none', 'all', 'some']));
    if (dice <= 48)
      return this.batch(random.pick([100, LIMITS.entriesPerRequest]), random.pick(['none', 'all']));
    if (dice <= 62) return this.repeated() ?? this.batch(3, 'all');
    if (dice <= 78) return this.overlapping();
    if (dice <= 85) return this.invalid();
    return this.keyed(random.int(1, 20));
  }

  batch(count: number, refs: Refs): Operation {
    const source = this.random.pick(this.account.sources);
    const operation: Operation = {
      name: `${this.name}-${++this.#count}`,
      accountId: this.account.accountId,
      sourceId: source.id,
      sourceType: source.type,
      entries: [],
      single: count === 1 && this.random.chance(0.5),
      invalid: false,
    };
    for (let index = 0; index < count; index++) {
      const tag = `${operation.name}/${index}`;
      const hasRef = refs === 'all' || (refs === 'some' && this.random.chance(0.5));
      operation.entries.push({ ...this.entry(operation, tag), ...(hasRef && { externalRef: tag }) });
    }
    this.#sent.push(operation);
    return operation;
  }

  /** Entries without references, with an Idempotency-Key for the whole request. */
  keyed(count: number): Operation {
    const operation = this.batch(count, 'none');
    operation.idempotencyKey = Bun.randomUUIDv7();
    return operation;
  }

  /** An earlier operation again, unchanged. */
  repeated(): Operation | undefined {
    const repeatable = this.#sent.filter(isRepeatable);
    return repeatable.length > 0 ? this.random.pick(repeatable) : undefined;
  }

  /** New entries, half of them with references of earlier operations. */
  overlapping(): Operation {
    const { random } = this;
    const operation = this.batch(random.int(2, 30), 'all');
    const known = this.#sent.flatMap(({ entries }) =>
      entries.flatMap(({ externalRef }) => externalRef ?? []),
    );
    for (const entry of operation.entries) if (random.chance(0.5)) entry.externalRef = random.pick(known);
    return operation;
  }

  /** The same references as `operation` with other tags. When both race, each reference is stored from one of them. */
  rival(operation: Operation): Operation {
    const rival = this.batch(operation.entries.length, 'none');
    rival.entries.forEach((entry, index) => {
      const { externalRef } = operation.entries[index] as SentEntry;
      if (externalRef !== undefined) entry.externalRef = externalRef;
    });
    return rival;
  }

  /** Entries of which one, in the middle, has a category that is invalid for its source. */
  invalid(): Operation {
    const operation = this.batch(this.random.int(1, 40), 'some');
    const middle = operation.entries[operation.entries.length >> 1] as SentEntry;
    const foreign = SOURCE_TYPES.filter((type) => type !== operation.sourceType).flatMap((type) =>
      CATEGORIES[type][middle.type].map(({ key }) => key),
    );
    const own = CATEGORIES[operation.sourceType][middle.type].map(({ key }) => key as string);
    middle.category = this.random.pick(foreign.filter((key) => !own.includes(key)));
    operation.invalid = true;
    // Without references, so that no later operation repeats or overlaps it.
    for (const entry of operation.entries) delete entry.externalRef;
    return operation;
  }

  private entry({ sourceType }: Operation, tag: string): SentEntry {
    const { random } = this;
    const type = random.pick(ENTRY_TYPES);
    const categories: readonly Category[] = CATEGORIES[sourceType][type];
    return {
      date: `2026-04-${String(random.int(1, 28)).padStart(2, '0')}`,
      type,
      amountPence: random.int(1, 10_000_000),
      description: tag,
      ...(random.chance(0.6) && { category: random.pick(categories).key }),
    };
  }
}

/** Whether a client without a response may safely send the operation again. */
export function isRepeatable({ entries, invalid, idempotencyKey }: Operation): boolean {
  if (invalid) return false;
  return idempotencyKey !== undefined || entries.every(({ externalRef }) => externalRef !== undefined);
}
