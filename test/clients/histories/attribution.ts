/** Which payment is an entry? By the files that were pushed when it appeared, and by its content, as the bank has ever shown the payment. */
import { type House, partsOf, type Rules } from './rules.ts';
import { isEqual } from './story.ts';
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
  readonly #origins = new Map<string, Payment[]>();
  /** The last version of each payment that the bank changed; undefined if it vanished. */
  readonly #changed = new Map<Payment, Version | undefined>();
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

  /** Notes which payments an entry can have come from: those of the files that were pushed when it appeared. */
  noteOrigin(entry: Entry, payments: readonly Payment[]): void {
    const possible = payments.filter((payment) => this.looksLike(entry, payment));
    if (possible.length > 0) this.#origins.set(entry.id, possible);
  }

  forgetOrigin(id: string): void {
    this.#origins.delete(id);
  }

  /** The payments that an entry can have come from, if that is known. */
  originsOf({ id }: Entry): readonly Payment[] | undefined {
    return this.#origins.get(id);
  }

  /** The bank changed it: from now on its old entry can be taken for an equal payment. */
  noteChange(payment: Payment, after: Version | undefined): void {
    this.#changed.set(payment, after);
  }

  hasChanged(payment: Payment): boolean {
    return this.#changed.has(payment);
  }

  canBe(entry: Entry, payment: Payment): boolean {
    if (!this.looksLike(entry, payment)) return false;
    const origins = this.#origins.get(entry.id);
    if (!origins || origins.includes(payment)) return true;
    // A list of corrections may have made another payment of it.
    // Of equal payments, one that has changed leaves its entry to another, unless the entry shows it as it is now.
    return origins.some((origin) => this.#hasLeft(entry, origin) || !this.looksLike(entry, origin));
  }

  #hasLeft(entry: Entry, origin: Payment): boolean {
    const now = this.#changed.get(origin);
    // A part of a split row has an amount of its own.
    const isNow = now && isEqual(now, isSplittable(origin.kind) ? { ...entry, pence: now.pence } : entry);
    return this.#changed.has(origin) && !isNow;
  }

  /** A list of corrections may have changed one field of an entry and left another. */
  looksLike(entry: Entry, payment: Payment): boolean {
    const looks = this.#looks.get(payment);
    return (
      looks?.dates.has(entry.date) === true &&
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
}

interface Wishes {
  /** Payments that should have an entry before others have one. */
  first?: readonly Payment[];
  /** Pairs that are made before others, if possible. */
  prefers?: (entry: Entry, payment: Payment) => boolean;
  /** Pairs that are settled, by the id of the entry. */
  fixed?: ReadonlyMap<string, Payment>;
  /** Whether the entries, in their order, come first: then a later one is surplus rather than an earlier one. */
  isByEntry?: boolean;
}

/** A maximum matching: whoever is added first stays matched. */
class Matching<Left, Right> {
  readonly rightOf = new Map<Left, Right>();
  readonly leftOf = new Map<Right, Left>();

  constructor(readonly edgesOf: (left: Left) => readonly Right[]) {}

  /** @param isAllowed for the pair of this one; others may move to any of theirs */
  add(left: Left, isAllowed: (right: Right) => boolean = () => true, tried = new Set<Right>()): boolean {
    for (const right of this.edgesOf(left)) {
      if (tried.has(right) || !isAllowed(right)) continue;
      tried.add(right);
      const holder = this.leftOf.get(right);
      if (holder !== undefined && !this.add(holder, undefined, tried)) continue;
      this.rightOf.set(left, right);
      this.leftOf.set(right, left);
      return true;
    }
    return false;
  }
}

/** Gives as many payments as possible an entry of their own. A payment that rules can split has amounts of its own, and takes all its entries. */
export function attribute(entries: readonly Entry[], versions: Versions, wishes: Wishes = {}): Attribution {
  const { first = [], prefers = () => false, fixed = new Map(), isByEntry = false } = wishes;
  const of = new Map<string, Payment>();
  const open = entries.filter((entry) => {
    const settled =
      fixed.get(entry.id) ??
      versions.payments.find((each) => isSplittable(each.kind) && versions.canBe(entry, each));
    if (settled) of.set(entry.id, settled);
    return settled === undefined;
  });
  const taken = new Set(of.values());
  const payments = [...first, ...versions.payments.filter((payment) => !first.includes(payment))].filter(
    (payment) => !taken.has(payment) && !isSplittable(payment.kind),
  );
  const candidatesOf = (entry: Entry) => payments.filter((payment) => versions.canBe(entry, payment));
  if (isByEntry) {
    const matching = new Matching<Entry, Payment>(candidatesOf);
    for (const entry of open) matching.add(entry);
    for (const [entry, payment] of matching.rightOf) of.set(entry.id, payment);
  } else {
    const matching = new Matching<Payment, Entry>((payment) =>
      open.filter((entry) => versions.canBe(entry, payment)),
    );
    const isFirst = (payment: Payment) => first.includes(payment);
    for (const group of [payments.filter(isFirst), payments.filter((payment) => !isFirst(payment))]) {
      for (const payment of group) matching.add(payment, (entry) => prefers(entry, payment));
      for (const payment of group) if (!matching.rightOf.has(payment)) matching.add(payment);
    }
    for (const [payment, entry] of matching.rightOf) of.set(entry.id, payment);
  }
  return {
    of,
    surplus: open.filter(
      (entry) => !of.has(entry.id) && versions.payments.some((each) => versions.canBe(entry, each)),
    ),
    entriesOf: (payment) => entries.filter(({ id }) => of.get(id) === payment),
  };
}
