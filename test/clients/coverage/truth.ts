/** What the person knows, and answers: whether a row of a file is a stored entry. */
import { random } from '../../faults/random.ts';
import { attribute, type Entry, type Versions } from './attribution.ts';
import type { BankFile, Row } from './bank.ts';
import { isEqual } from './story.ts';
import type { Answer, Question } from './surface.ts';
import type { Payment, Version } from './world.ts';

export class Truth {
  /** Entries that an answer has settled: the person does not change their mind. */
  readonly #settled = new Map<string, Payment>();
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
      const offered = entries.filter(({ id }) => question.entries.includes(id));
      const same = offered.find((entry) => this.#isSame(entry, row, now, entries));
      if (!same) return 'new';
      if (this.versions.canBe(same, row.payment)) this.#settled.set(same.id, row.payment);
      return { sameAs: same.id };
    });
  }

  /** @param now what the files of the question show */
  #isSame(
    entry: Entry,
    { payment, version }: Row,
    now: ReadonlyMap<Payment, Version>,
    entries: readonly Entry[],
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
