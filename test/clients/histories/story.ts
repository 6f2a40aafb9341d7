/** What happened in a history: the acts of the person, and what the command answered. */
import type { Attribution, Entry } from './attribution.ts';
import type { BankFile, Change, Ids, Row } from './bank.ts';
import { FORMATS } from './formats.ts';
import type { House, Rules } from './rules.ts';
import type { RowName } from './surface.ts';
import type { Payment, Version } from './world.ts';

/** One act of the person that stores, with all its questions answered. */
export interface Push {
  files: { path: string; file: BankFile }[];
  rules: Rules;
  exitCode: number;
  /** Two runs at the same moment. */
  isAtOnce: boolean;
  /** The whole file for one property, on a computer without the rules. */
  isOtherProperty: boolean;
  /** Ids of entries in the questions of this act. */
  asked: Set<string>;
  /** Payments of the rows in these questions. */
  askedFor: Set<Payment>;
  /** Entries that were there after it, and not before. */
  created: Entry[];
  /** Rows that its report says are not stored. */
  told: RowName[];
}

export interface PushOptions {
  rules?: Rules;
  /** Another computer: with its own configuration and decisions. */
  isOtherComputer?: boolean;
  isOtherProperty?: boolean;
  /** Names the account, in a file that does not. */
  label?: string;
}

export interface Story {
  ids: Ids;
  accounts: number;
  changes: readonly Change[];
  /** Payments as the bank shows them, that no file has shown yet. */
  unseen(): Version[];
  pushes: Push[];
  /** Properties that the person has removed in the app. */
  removed: House[];
  /** In words, one line each. */
  words: string[];
}

export type ViolationKind = 'stored twice' | 'lost untold' | 'proved and wrong' | 'wrong after the list';

export interface Violation {
  kind: ViolationKind;
  /** What led to it, for the table of a run. */
  circumstance: string;
  text: string;
  /** Why no program can know, if so. */
  exemption?: string;
}

export const changeOf = (story: Story, payment: Payment) =>
  story.changes.find((change) => change.payment === payment);

/** The act that stored an entry. */
export const pushOf = (story: Story, entry: Entry) =>
  story.pushes.find(({ created }) => created.some(({ id }) => id === entry.id));

export const rowsOf = (push: Push): { path: string; file: BankFile; row: Row }[] =>
  push.files.flatMap(({ path, file }) => file.rows.map((row) => ({ path, file, row })));

export const namesItsAccount = (file: BankFile) => FORMATS[file.format].isNamed;

export const inWords = ({ date, pence, description }: { date: string; pence: number; description: string }) =>
  `${date} ${(pence / 100).toFixed(2)} ${description}`;

/** Entries that stand for one payment, and one of them is too many. */
export interface Double {
  payment: Payment;
  surplus: Entry;
  kept: Entry;
}

/** Each entry that is too many, beside the entries that stand for the same payment, or for one that such an entry can be as well. */
export function doublesOf(
  attribution: Attribution,
  canBe: (entry: Entry, payment: Payment) => boolean,
  payments: readonly Payment[],
): Map<Entry, Double[]> {
  const doubles = attribution.surplus.map((surplus) => {
    const found: Double[] = [];
    const seen = new Set<Payment>();
    for (const open = [surplus]; open.length > 0; ) {
      const entry = open.shift() as Entry;
      for (const payment of payments.filter((each) => canBe(entry, each) && !seen.has(each))) {
        seen.add(payment);
        const own = attribution.entriesOf(payment);
        found.push(...own.map((kept) => ({ payment, surplus: entry, kept })));
        open.push(...own);
      }
    }
    return [surplus, found] as const;
  });
  return new Map(doubles);
}

export const isEqual = (one: Version, other: Version) =>
  one.date === other.date && one.pence === other.pence && one.description === other.description;
