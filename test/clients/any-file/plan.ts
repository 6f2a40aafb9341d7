/** A file before it is written: its rows and columns, and the meaning of each. */

import type { Format } from '../../../clients/typescript/import/options.ts';
import type { Choice, Meaning } from '../../../clients/typescript/import/questions-and-answers.ts';
import type { Payment } from './payments.ts';
import type { Certainty } from './words.ts';

/** A text, a day, or an amount. */
export type Cell = string | { day: string } | { pence: number; mark?: 'DR' | 'CR' };

export interface Entry {
  date: string;
  type: 'income' | 'expense';
  amountPence: number;
}

/** A row of the file. */
export interface Line {
  /** Several in a row with several amounts; none in totals and headings. */
  payments: readonly Payment[];
  /** The truthful answer to a question about the row, if it may be a total, a part or the opposite of another. */
  answer: 'keep' | 'skip';
  text: string;
  /** The lines that a total sums up. */
  covers?: readonly Line[];
  /** A total may lack the date. */
  day?: string;
  category: string;
  /** A line of text, and the meaning of the rows below it. */
  heading?: Meaning;
  /** Of double entry. */
  account?: string;
  /** The whole of a part, in a column of wholes. */
  parent?: string;
  isWhole?: boolean;
  /** Pence after the row. */
  balance?: number;
  /** The sign of double entry and payouts. */
  isOpposite?: boolean;
}

type Role = 'date' | 'amount' | 'description' | 'type' | 'category' | 'balance' | 'other';

export interface Column {
  name: string;
  certainty: Certainty;
  role: Role;
  /** A smaller file needs the column too: it has a part of the meaning. */
  isNeeded: boolean;
  cell(line: Line): Cell;
  /** True answers to the questions what the column holds, the best first. The direction of amounts is computed. */
  answers: readonly Choice[];
  /** The meaning of the value in the row; undefined for a column whose values say nothing. */
  meaning?(line: Line): Meaning;
  /** Questions that it costs at most. */
  cost: number;
  /** The property of the file that the column is. */
  feature?: string;
}

/** A row, or rows that belong together, so that a smaller file can lack them. */
export type Item =
  | { kind: 'payments'; payments: readonly Payment[] }
  | { kind: 'heading'; text: string; meaning: Meaning }
  | { kind: 'total'; text: string; isDated: boolean; isGrand?: boolean }
  | { kind: 'opening'; text: string; pence: number; day: string }
  | { kind: 'whole'; payment: Payment; parts: readonly Payment[]; keeps: 'whole' | 'parts'; isFirst: boolean }
  | { kind: 'double'; payment: Payment; isBankFirst: boolean }
  | { kind: 'payout'; text: string; day: string }
  | { kind: 'again'; payment: Payment };

export type DateStyle = 'd/m/y' | 'm/d/y' | 'iso' | 'd Mon y' | 'd.m.y' | 'd-m-y';

export interface Plan {
  /** The names of its properties beside those of its columns. */
  features: readonly string[];
  items: readonly Item[];
  columns: readonly Column[];
  format: Format;
  fileName: string;
  /** Lines above the header, with the meaning of the rows below. */
  preamble: readonly { text: string; meaning: Meaning }[];
  footer: readonly string[];
  /** How the sign is written: a minus is money out, money back, or there is none. */
  sign: 'bank' | 'spending' | 'none' | 'columns';
  isCardNamed: boolean;
  isNewestFirst: boolean;
  unit: 'pounds' | 'pence';
  /** The amounts before the first row, if there is a balance. */
  opening: number;
  dateStyle: DateStyle;
  delimiter: string;
  isQuoted: boolean;
  hasThousands: boolean;
  minus: '-' | '()' | 'behind';
  /** QIF: the type of the account; OFX: the statement of a bank or of a card. */
  account: { type: string; name?: string };
  /** Several amounts of a row: their sums are compared. */
  isSeveral: boolean;
  /** Whether the file must not raise a question about direction, state, unit or relations. */
  isProved: boolean;
}
