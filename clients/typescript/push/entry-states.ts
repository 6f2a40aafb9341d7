/** The state of each entry in a running push: its status in the books, and its outcome once it was sent. */
import { type ComparedFiles, compareAgain } from '../match/compare.ts';
import { type ComparedEntry, isNew, type MatchStatus } from '../match/compared-entry.ts';
import { type FileEntry, rowKey } from '../match/row.ts';
import type { Books } from '../match/stored-books.ts';
import { type PushCounts, pushCounts } from '../push-counts.ts';
import type { Outcome } from '../write.ts';
import { outcomesForFile, outcomesInBooks, type TakenOutcome } from './outcomes.ts';
import type { SourcesPushResult } from './push-to-sources.ts';

interface SentEntry {
  /** The reference that it was sent with. */
  reference: string | undefined;
  /** Undefined while it is unknown: its request got no readable response. */
  outcome: Outcome | TakenOutcome | undefined;
}

/** Entries are named by their index. */
export class EntryStates<Before extends ComparedFiles> {
  /** The entries that were shown as new. No others are sent. */
  readonly shownAsNew: ReadonlySet<number>;
  /** The last comparison. */
  #compared: Before;
  readonly #sent = new Map<number, SentEntry>();

  constructor(readonly shown: Before) {
    this.#compared = shown;
    this.shownAsNew = new Set([...shown.entries.keys()].filter((index) => this.#isNew(index)));
  }

  get hasSent(): boolean {
    return this.#sent.size > 0;
  }

  /** Entries whose outcome is unknown. */
  get unknownIndexes(): number[] {
    return [...this.#sent].flatMap(([index, { outcome }]) => (outcome ? [] : index));
  }

  /** Entries that the service has refused, because it has other ones under their references. */
  get conflictIndexes(): number[] {
    return [...this.#sent].flatMap(([index, { outcome }]) => (outcome?.status === 'conflict' ? index : []));
  }

  /** The counts of the entries with an outcome. */
  get counts(): PushCounts {
    return pushCounts([...this.#sent.values()].map(({ outcome }) => outcome));
  }

  /** Compares with newer books. They settle the unknown outcomes: an entry that they do not have may be sent again. */
  compareWith(books: Books): void {
    this.#compared = compareAgain(this.shown, books);
    for (const index of this.unknownIndexes) {
      const entry = this.#entryAt(index);
      if (entry.matchStatus === 'known') this.#setOutcome(index, { status: 'known', id: entry.stored.id });
      else this.#sent.delete(index);
    }
  }

  /** The entries of a phase to send now. A row whose earlier part was refused is not continued. */
  newIn(phase: readonly number[]): number[] {
    const rowOf = (index: number) => rowKey(this.shown.entries[index] as FileEntry);
    const refused = new Set(this.conflictIndexes.map(rowOf));
    const isLeft = (index: number) =>
      this.shownAsNew.has(index) && !this.#sent.has(index) && this.#isNew(index);
    return phase.filter((index) => isLeft(index) && !refused.has(rowOf(index)));
  }

  /** These entries, with their references by the last comparison. */
  entriesAt(indexes: readonly number[]): ComparedEntry[] {
    return indexes.map((index) => {
      const entry = this.#entryAt(index);
      return { ...entry, entry: entry.toSend };
    });
  }

  /** Keeps the outcomes of a push of these entries. */
  keep(
    indexes: readonly number[],
    pushed: readonly ComparedEntry[],
    { outcomes, unknownIndexes }: SourcesPushResult,
  ): void {
    for (const [at, outcome] of outcomesForFile(pushed, outcomes).entries()) {
      if (!outcome && !unknownIndexes.includes(at)) continue;
      this.#sent.set(indexes[at] as number, { reference: pushed[at]?.entry.externalRef, outcome });
    }
  }

  /**
   * Another source has taken the reference of an entry after the comparison: the entry is new under another reference, and is to be sent again.
   * Without another one, its reference is taken.
   * @returns whether there are entries to send again
   */
  reopenRenamed(): boolean {
    const refused = this.conflictIndexes.filter((index) => this.#isNew(index));
    const isRenamed = (index: number) =>
      this.#entryAt(index).toSend.externalRef !== this.#sent.get(index)?.reference;
    const renamed = refused.filter(isRenamed);
    for (const index of refused) {
      const id = this.#sent.get(index)?.outcome?.id ?? '';
      if (renamed.includes(index)) this.#sent.delete(index);
      else this.#setOutcome(index, { status: 'taken', id, holder: undefined });
    }
    return renamed.length > 0;
  }

  get hasTaken(): boolean {
    return [...this.#sent.values()].some(({ outcome }) => outcome?.status === 'taken');
  }

  /** Names the entries that have the taken references. */
  nameHolders({ byId }: Books): void {
    for (const [index, { outcome }] of this.#sent)
      if (outcome?.status === 'taken') this.#setOutcome(index, { ...outcome, holder: byId.get(outcome.id) });
  }

  result() {
    const { entries } = this.shown;
    const left = [...this.shownAsNew].filter((index) => !this.#sent.get(index)?.outcome);
    const isChanged = (index: number) =>
      !this.#isNew(index) && !SETTLED.includes(this.#entryAt(index).matchStatus);
    const { created, deduplicated } = this.counts;
    return {
      created,
      deduplicated,
      unknownIndexes: this.unknownIndexes,
      compared: this.#compared,
      remaining: left.filter((index) => this.#isNew(index)).length,
      outcomes: outcomesInBooks(this.#compared).map(
        (inBooks, index) => this.#sent.get(index)?.outcome ?? inBooks,
      ),
      changed: left.filter(isChanged).map((index) => entries[index] as FileEntry),
    };
  }

  #setOutcome(index: number, outcome: Outcome | TakenOutcome): void {
    this.#sent.set(index, { reference: this.#sent.get(index)?.reference, outcome });
  }

  /** The entry by the last comparison. */
  #entryAt(index: number): ComparedEntry {
    return this.#compared.entries[index] as ComparedEntry;
  }

  #isNew(index: number): boolean {
    return isNew(this.#entryAt(index));
  }
}

/** Rows that have become known or refused since they were shown: nobody has to decide about them. */
const SETTLED: readonly MatchStatus[] = ['known', 'taken'];
