/** Which payment is an entry? By its content alone, as the bank has ever shown the payment: entries of equal content can stand for one another. */
import { type House, partsOf, type Rules } from './rules.ts';
import { isSplittable, type Payment, type Version } from './world.ts';

/** An entry as the API returns it. */
export interface Entry extends Version {
  id: string;
  house: House;
}

interface Looks {
  dates: Set<string>;
  pence: Set<number>;
  descriptions: Set<string>;
}

/** How each payment was ever shown in a file of the person. */
export class Versions {
  readonly #looks = new Map<Payment, Looks>();
  readonly #amounts = new Map<Payment, Set<number>>();

  /** @param rules all that were ever used, because each can split a row in another way */
  add(payment: Payment, version: Version, rules: readonly Rules[]): void {
    const looks = this.#looks.get(payment) ?? { dates: new Set(), pence: new Set(), descriptions: new Set() };
    this.#looks.set(payment, looks);
    looks.dates.add(version.date);
    looks.descriptions.add(version.description);
    looks.pence.add(version.pence);
    this.#amounts.set(payment, (this.#amounts.get(payment) ?? new Set()).add(version.pence));
    for (const each of rules) {
      for (const { pence } of partsOf(each, version.description, version.pence)) looks.pence.add(pence);
    }
  }

  /** A list of corrections may have changed one field of an entry and left another. */
  canBe(entry: Entry, payment: Payment): boolean {
    const looks = this.#looks.get(payment);
    return (
      looks !== undefined &&
      looks.dates.has(entry.date) &&
      looks.pence.has(entry.pence) &&
      looks.descriptions.has(entry.description)
    );
  }

  /** Signed pence of the whole payment, in each version. */
  amountsOf(payment: Payment): number[] {
    return [...(this.#amounts.get(payment) ?? [])];
  }

  get payments(): Payment[] {
    return [...this.#looks.keys()];
  }
}

export interface Attribution {
  of: Map<string, Payment>;
  entriesOf(payment: Payment): Entry[];
  /** Entries whose payments all have an entry already. */
  surplus: Entry[];
  /** Entries that are no payment. */
  strange: Entry[];
}

interface Wishes {
  /** Payments that should have an entry before others have one. */
  first?: readonly Payment[];
  /** Pairs that are made before others, if possible. */
  prefers?: (entry: Entry, payment: Payment) => boolean;
  /** Pairs that are settled, by the id of the entry. */
  fixed?: ReadonlyMap<string, Payment>;
}

/** Gives as many payments as possible an entry of their own (a maximum matching). A payment that rules can split has amounts of its own, and takes all its entries. */
export function attribute(entries: readonly Entry[], versions: Versions, wishes: Wishes = {}): Attribution {
  const { first = [], prefers = () => false, fixed = new Map() } = wishes;
  const of = new Map<string, Payment>();
  const takenBy = new Map<Payment, Entry>();
  const strange: Entry[] = [];
  const open: Entry[] = [];
  const candidates = new Map<Entry, Set<Payment>>();
  for (const entry of entries) {
    const possible = versions.payments.filter((payment) => versions.canBe(entry, payment));
    const settled = fixed.get(entry.id) ?? possible.find(({ kind }) => isSplittable(kind));
    if (settled) {
      of.set(entry.id, settled);
      if (!isSplittable(settled.kind)) takenBy.set(settled, entry);
    } else if (possible.length === 0) strange.push(entry);
    else {
      open.push(entry);
      candidates.set(entry, new Set(possible));
    }
  }

  const give = (payment: Payment, isAllowed: (entry: Entry) => boolean, tried: Set<Entry>): boolean => {
    for (const entry of open) {
      if (tried.has(entry) || !candidates.get(entry)?.has(payment) || !isAllowed(entry)) continue;
      tried.add(entry);
      const holder = of.get(entry.id);
      if (holder && !give(holder, () => true, tried)) continue;
      of.set(entry.id, payment);
      takenBy.set(payment, entry);
      return true;
    }
    return false;
  };
  const others = versions.payments.filter((payment) => !first.includes(payment));
  const pass = (payments: readonly Payment[], isPreferred: boolean) => {
    for (const payment of payments) {
      if (takenBy.has(payment) || isSplittable(payment.kind)) continue;
      give(payment, (entry) => !isPreferred || prefers(entry, payment), new Set());
    }
  };
  pass(first, true);
  pass(first, false);
  pass(others, true);
  pass(others, false);
  return {
    of,
    strange,
    surplus: open.filter(({ id }) => !of.has(id)),
    entriesOf: (payment) => entries.filter(({ id }) => of.get(id) === payment),
  };
}
