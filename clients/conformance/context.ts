/** The context of a rule's check: the accounts, and days, references and entries that no other rule uses. */
import type { TestedAccount } from './account.ts';
import type { Exchange, Json } from './exchange.ts';
import { NotChecked } from './expect.ts';

interface RunOptions {
  /** A key of an account whose plan has no API access. */
  freeKey: string | undefined;
  /** A key that reads only, of an account with a source. */
  readOnlyKey: string | undefined;
  /** Whether the daily cap may be filled. */
  fillDay: boolean;
}

export interface NewEntry {
  date: string;
  type: string;
  amountPence: Json;
  description?: string;
  externalRef?: string;
  [member: string]: Json;
}

/** The entries of a run share the year, and their descriptions and references share the prefix. */
export class RunBooks {
  // Far from real entries.
  readonly year = 3_000 + Math.floor(Math.random() * 6_000);
  readonly prefix = `conformance-${Math.random().toString(36).slice(2, 10)}`;
  #days = 0;
  #references = 0;

  /** Consecutive unused days. */
  days(count: number): string[] {
    return Array.from({ length: count }, () =>
      new Date(Date.UTC(this.year, 0, 1 + this.#days++)).toISOString().slice(0, 10),
    );
  }

  reference(): string {
    return `${this.prefix}-${++this.#references}`;
  }
}

export class Context {
  constructor(
    readonly rule: string,
    /** The account whose key has more requests left, and the other one. */
    readonly account: TestedAccount,
    readonly other: TestedAccount,
    readonly books: RunBooks,
    readonly options: RunOptions,
    /** Every exchange of the run so far. */
    readonly history: readonly Exchange[],
  ) {}

  /** An account with two sources, and its second one. @throws NotChecked without one */
  twoSources(): { account: TestedAccount; another: string } {
    for (const account of [this.account, this.other]) {
      const [, another] = account.sources;
      if (another) return { account, another: another.id };
    }
    throw new NotChecked('It needs a second source of the same account: give --source twice.');
  }

  day(): string {
    return this.books.days(1)[0] ?? '';
  }

  /** With a reference of its own. `externalRef: undefined` leaves it out. */
  entry(date: string, fields: Record<string, Json> = {}): NewEntry {
    return {
      date,
      type: 'income',
      amountPence: 45_000,
      description: `${this.books.prefix} ${this.rule}`,
      externalRef: this.books.reference(),
      ...fields,
    };
  }

  entries(date: string, count: number, fields: Record<string, Json> = {}): NewEntry[] {
    return Array.from({ length: count }, () => this.entry(date, fields));
  }
}
