/** What the person knows, and answers: whether a row of a file is a stored entry. */
import { random } from '../../faults/random.ts';
import { attribute, type Entry, type Versions } from './attribution.ts';
import type { BankFile, Row } from './bank.ts';
import { type Part, partsOf, type Rules } from './rules.ts';
import { isEqual } from './story.ts';
import type { Answer, OtherRow, Question } from './surface.ts';
import { isSplittable, type Payment, type Version } from './world.ts';

export class Truth {
  /** Entries that an answer has settled: the person does not change their mind. */
  readonly #settled = new Map<string, Payment>();
  /** Rows of other files, by the references that the command gives them. */
  readonly #otherRows = new Map<string, Payment>();
  readonly #chance = random('answers');

  constructor(readonly versions: Versions) {}

  /** The rows of the question, in its order. @throws Error if no file has one of them */
  rowsOf({ rows }: Question, paths: ReadonlyMap<BankFile, string>): Row[] {
    return rows.map(({ path, row }) => {
      const file = [...paths].find(([, each]) => each === path)?.[0];
      const found = file?.rows.find((each) => each.row === row);
      if (!found) throw new Error(`No file has row ${row} of ${path}`);
      return found;
    });
  }

  /** The answer for each row of the question. @param paths all files that were given to the command */
  answer(question: Question, entries: readonly Entry[], paths: ReadonlyMap<BankFile, string>): Answer[] {
    const files = [...paths].filter(([, path]) => question.rows.some((each) => each.path === path));
    const now = new Map(
      files.flatMap(([file]) => file.rows.map((row) => [row.payment, row.version] as const)),
    );
    return this.rowsOf(question, paths).map((row): Answer => {
      // Of equal entries, the person takes the one that a file of the account made, and that can be the fewest other payments.
      const ownness = (entry: Entry) => {
        const origins = this.versions.originsOf(entry) ?? [];
        return origins.includes(row.payment) ? 1 / origins.length : 0;
      };
      const offered = entries
        .filter(({ id }) => question.entries.includes(id))
        .sort((one, other) => ownness(other) - ownness(one));
      const same = offered.find((entry) => this.#isSame(entry, row, now, entries, offered));
      if (!same) return 'new';
      if (this.versions.canBe(same, row.payment)) this.#settled.set(same.id, row.payment);
      return { sameAs: same.id };
    });
  }

  /** Whether a row and a row of another file are one payment. @param files of the command */
  isSameRow(row: Row, other: OtherRow, files: readonly BankFile[]): boolean {
    const known = this.#otherRows.get(other.reference);
    if (known) return known === row.payment;
    const equal = files
      .filter((file) => !file.rows.includes(row))
      .flatMap((file) => file.rows.filter(({ version }) => isEqual(version, other)));
    const payments = equal.map(({ payment }) => payment);
    const taken = [...this.#otherRows.values()];
    // Equal rows of a file have references of their own, and either can be this payment.
    const free = payments.filter((payment) => !taken.includes(payment));
    const found = free.includes(row.payment) ? row.payment : (free[0] ?? payments[0]);
    if (!found) throw new Error(`No other file has ${other.date} ${other.pence} ${other.description}`);
    this.#otherRows.set(other.reference, found);
    return found === row.payment;
  }

  /** Whether entries that a file lacks are wrong, or payments of other lists; undefined if they are not all the same. */
  lacks(
    file: BankFile,
    lacking: readonly Entry[],
    entries: readonly Entry[],
  ): 'gone' | 'elsewhere' | undefined {
    const { of } = this.#attribute(entries, [file]);
    const payments = new Set(file.rows.map(({ payment }) => payment));
    const places = lacking.map((entry) => {
      const payment = of.get(entry.id);
      if (payment && payments.has(payment)) return undefined;
      return this.#isOfFile(entry, payment, file) ? 'gone' : 'elsewhere';
    });
    return places.every((place) => place === places[0]) ? places[0] : undefined;
  }

  /** Whether an entry has to be removed, by what the files and the rules show. @param kept ids of entries that the same list changes, and so keeps */
  isWrong(
    entry: Entry,
    entries: readonly Entry[],
    files: readonly BankFile[],
    rules: Rules,
    kept: ReadonlySet<string>,
  ): boolean {
    const { of, entriesOf } = this.#attribute(entries, files, kept);
    const payment = of.get(entry.id);
    const row = files.flatMap((file) => file.rows).findLast((each) => each.payment === payment);
    if (!payment || !row) return files.some((file) => this.#isOfFile(entry, payment, file));
    if (!isSplittable(payment.kind)) return false;
    const need = partsOf(rules, row.version.description, row.version.pence);
    const sum = (parts: readonly { pence: number }[]) => parts.reduce((all, { pence }) => all + pence, 0);
    const own = entriesOf(payment).toSorted(
      (one, other) => Number(kept.has(other.id)) - Number(kept.has(one.id)),
    );
    const isPart = ({ house, pence }: Part) => house === entry.house && pence === entry.pence;
    const like = own.filter((each) => isPart(each)).indexOf(entry);
    return Math.abs(sum(own)) > Math.abs(sum(need)) && like >= need.filter(isPart).length;
  }

  #isOfFile(
    entry: Entry,
    payment: Payment | undefined,
    { account, rows, isWhole, days: named }: BankFile,
  ): boolean {
    const possible = payment
      ? [payment]
      : this.versions.payments.filter((each) => this.versions.canBe(entry, each));
    const days = rows.map(({ version }) => version.date).sort();
    // Of a part of a day, the file names no whole days.
    const [first = '', last = ''] = isWhole && named ? [named.from, named.to] : [days[0], days.at(-1)];
    const isWithin = isWhole
      ? first <= entry.date && entry.date <= last
      : first < entry.date && entry.date < last;
    return isWithin && possible.some((each) => each.account === account);
  }

  /** Of the entries of a payment that was asked about, the first one is settled. */
  #attribute(entries: readonly Entry[], files: readonly BankFile[], kept: ReadonlySet<string> = new Set()) {
    const now = new Map(files.flatMap(({ rows }) => rows.map((row) => [row.payment, row.version] as const)));
    const fixed = new Map<string, Payment>();
    for (const [id, payment] of kept.size > 0 ? [] : this.#settled) {
      if (![...fixed.values()].includes(payment)) fixed.set(id, payment);
    }
    const isKept = ({ id }: Entry) => kept.has(id);
    return attribute([...entries.filter(isKept), ...entries.filter((each) => !isKept(each))], this.versions, {
      first: [...now.keys()],
      fixed,
      prefers: (entry, payment) => {
        const isOwn = this.versions.originsOf(entry)?.includes(payment) ?? true;
        return isKept(entry) || (isOwn && isEqual(now.get(payment) ?? payment.first, entry));
      },
    });
  }

  /** @param now what the files of the question show */
  #isSame(
    entry: Entry,
    { payment, version }: Row,
    now: ReadonlyMap<Payment, Version>,
    entries: readonly Entry[],
    offered: readonly Entry[],
  ): boolean {
    const settled = this.#settled.get(entry.id);
    if (settled) return settled === payment;
    const { of } = attribute(entries, this.versions, {
      first: [...now.keys()],
      fixed: this.#settled,
      prefers: (each, other) => isEqual(now.get(other) ?? version, each),
    });
    const holder = of.get(entry.id);
    // A person sees the content of an entry, and takes an equal one of a payment that has changed since for the same.
    const hasEqual = entries.some((each) => of.get(each.id) === payment && isEqual(each, entry));
    if (hasEqual && (holder === undefined || this.versions.hasChanged(holder))) return true;
    // Its own entry is another row, which the question does not show: equal entries of an account can stand for one another.
    const isOwnOffered = offered.some((each) => of.get(each.id) === payment);
    if (hasEqual && !isOwnOffered && holder?.account === payment.account) return true;
    if (!this.versions.canBe(entry, payment)) return false;
    // An entry too many is the payment as well: it is no other one.
    if (holder === payment || holder === undefined) return true;
    const shown = now.get(holder);
    if (!shown || !isEqual(version, shown)) return false;
    // Rows that nobody can tell apart: either can be the entry, if there are fewer entries than rows.
    const twins = [...now.values()].filter((each) => isEqual(each, version)).length;
    const equal = entries.filter((each) => this.versions.canBe(each, payment)).length;
    return equal >= twins || this.#chance.chance(0.5);
  }
}
