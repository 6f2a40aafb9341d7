/** The bank: exports of a range of days, and what it changes between two of them. It records each change, so that the truth of each row is known. */

import type { Random } from '../../faults/random.ts';
import { FORMATS, type Format, type Line, type Statement } from './formats.ts';
import { daysBetween, isSplittable, type Payment, plusDays, type Version, type World } from './world.ts';

export interface Row {
  payment: Payment;
  version: Version;
  /** The bank's id, if the file has it. */
  id?: string;
  /** As the command numbers it. */
  row: number;
}

export interface BankFile {
  name: string;
  format: Format;
  account: number;
  rows: Row[];
  text: string;
  /** Whether the first and the last day are whole. */
  isWhole: boolean;
  /** The days that the file names, if its format has them. */
  days?: { from: string; to: string };
}

type ChangeKind =
  | 'moved'
  | 'described'
  | 'truncated'
  | 'case'
  | 'amount'
  | 'settled'
  | 'vanished'
  | 'late'
  | 'moved and described'
  | 'moved with another amount';

export interface Change {
  payment: Payment;
  kind: ChangeKind;
  before: Version;
  after?: Version;
}

const OPENING_PENCE = 250_000;

const LATER_TEXTS: Record<string, string> = {
  'AMZN MKTP PENDING': 'AMAZON MARKETPLACE',
  'SHELL PAY AT PUMP AUTH': 'SHELL BIRMINGHAM GB',
  PARKING: 'PARKING CARD 0412',
  BOILERCO: 'BOILERCO REPAIR',
  'RENT FLAT A': 'J OKAFOR RENT FLAT A',
};

const titleCase = (text: string) => text.toLowerCase().replace(/\b\w/g, (letter) => letter.toUpperCase());

/** Payments that are easily taken for one another. */
const isTwin = (one: Version, other: Version) =>
  one.pence === other.pence && Math.abs(daysBetween(one.date, other.date)) <= 5;

interface Shown {
  version: Version;
  isVanished: boolean;
  isLate: boolean;
}

/** How ids of payments behave: kept for ever, or counted anew in each file. */
export type Ids = 'kept' | 'begin again';

export class Bank {
  readonly changes: Change[] = [];
  readonly #shown: Map<Payment, Shown>;
  /** Raised when the bank gives all payments new ids. */
  #generation = 0;

  constructor(
    readonly world: World,
    readonly ids: Ids,
  ) {
    const late = world.random.chance(0.4) ? world.random.pick(world.payments) : undefined;
    this.#shown = new Map(
      world.payments.map((payment) => [
        payment,
        { version: payment.first, isVanished: false, isLate: payment === late },
      ]),
    );
    if (late) this.changes.push({ payment: late, kind: 'late', before: late.first, after: late.first });
  }

  isVanished(payment: Payment): boolean {
    return this.#shown.get(payment)?.isVanished ?? false;
  }

  /** The payments of all accounts that happened, also those that are booked late. */
  get shown(): { payment: Payment; version: Version }[] {
    return [...this.#shown].flatMap(([payment, { version, isVanished }]) =>
      isVanished ? [] : [{ payment, version }],
    );
  }

  /** The payments of an account that the bank shows now, the oldest first. */
  linesOf(account: number): { payment: Payment; line: Line }[] {
    const shown = [...this.#shown]
      .filter(([payment, { isVanished, isLate }]) => payment.account === account && !isVanished && !isLate)
      .sort(([, { version: one }], [, { version: other }]) =>
        one.date < other.date ? -1 : one.date > other.date ? 1 : 0,
      );
    let balance = OPENING_PENCE;
    return shown.map(([payment, { version }]) => {
      balance += version.pence;
      return { payment, line: { ...version, balance, id: `T${this.#generation}${1000 + payment.id}` } };
    });
  }

  /** Writes some of these lines as a file. */
  file(
    name: string,
    lines: { payment: Payment; line: Line }[],
    options: {
      format: Format;
      account: number;
      from: string;
      to: string;
      isReversed: boolean;
      isWhole: boolean;
    },
  ): BankFile {
    const { format, account, isWhole, from, to } = options;
    const layout = FORMATS[format];
    const numbered = lines.map(({ payment, line }, index) => ({
      payment,
      line: this.ids === 'begin again' ? { ...line, id: String(1001 + index) } : line,
    }));
    const statement: Statement = { ...options, lines: numbered.map(({ line }) => line) };
    const { text, rows: numbers } = layout.write(statement);
    const rows = numbered.map(({ payment, line }, index): Row => {
      const { date, pence, description, id } = line;
      const row = numbers[index] ?? 0;
      return { payment, row, version: { date, pence, description }, ...(layout.hasIds && { id }) };
    });
    const days = (format === 'ofx' || format === 'camt') && { days: { from, to } };
    return { name: `${name}.${layout.extension}`, format, account, rows, text, isWhole, ...days };
  }

  giveNewIds(): void {
    this.#generation++;
  }

  /** Changes up to `count` payments, each once in a history. @param near the day where pending payments are */
  change(chance: Random, near: string, count: number): Change[] {
    const late = [...this.#shown].filter(([, { isLate }]) => isLate);
    for (const [, shown] of late) shown.isLate = false;
    const changed = new Set(this.changes.map(({ payment }) => payment));
    const isNear = ({ date }: Version) => date >= plusDays(near, -6) && date <= plusDays(near, 1);
    const made: Change[] = [];
    for (let each = 0; each < count; each++) {
      const open = [...this.#shown].filter(
        ([payment, { isVanished }]) => !isVanished && !changed.has(payment),
      );
      const pending = open.filter(([, { version }]) => isNear(version));
      const twins = open.filter(([payment, { version }]) =>
        open.some(([other, shown]) => other !== payment && isTwin(version, shown.version)),
      );
      const shops = open.filter(([{ kind }]) => kind === 'shop');
      const group = chance.pick([pending, twins, pending, twins, shops, shops, open]);
      const [payment, shown] = chance.pick(group.length > 0 ? group : open) ?? [];
      if (!payment || !shown) break;
      const change = changeOf(chance, payment, shown.version, group === twins);
      changed.add(payment);
      if (change.after) shown.version = change.after;
      else shown.isVanished = true;
      made.push(change);
    }
    this.changes.push(...made);
    return made;
  }
}

function changeOf(chance: Random, payment: Payment, before: Version, hasTwin: boolean): Change {
  const kinds: ChangeKind[] = ['moved', 'moved', 'moved', 'described', 'truncated', 'case', 'vanished'];
  kinds.push('moved and described', 'settled', 'vanished');
  if (!isSplittable(payment.kind)) kinds.push('amount', 'moved with another amount');
  // The amount of one of two equal charges: the other one looks like it.
  if (hasTwin && !isSplittable(payment.kind)) kinds.push('amount', 'amount', 'amount');
  // An authorisation at the pump, and a text that says so, are there to be settled.
  if (payment.kind === 'fuel') kinds.push('settled', 'settled', 'vanished');
  if (payment.kind === 'shop') kinds.push('described', 'described', 'moved and described', 'vanished');
  const kind = chance.pick(kinds);
  const moved = { date: plusDays(before.date, chance.chance(0.85) ? chance.int(1, 5) : -chance.int(1, 3)) };
  const described = { description: LATER_TEXTS[before.description] ?? `${before.description} 0412` };
  // 45.20 in place of 1.00, and amounts that no other payment has.
  const step = isSplittable(payment.kind) ? 20_000 : 4_420;
  const amount = { pence: before.pence + (before.pence < 0 ? -step : step) };
  const cut = { description: before.description.slice(0, Math.max(4, before.description.length - 4)).trim() };
  const after: Record<ChangeKind, Partial<Version> | undefined> = {
    moved,
    described,
    truncated: cut,
    case: { description: titleCase(before.description) },
    amount,
    settled: { ...amount, ...described },
    vanished: undefined,
    late: {},
    'moved and described': { ...moved, ...described },
    'moved with another amount': { ...moved, ...amount },
  };
  const fields = after[kind];
  return { payment, kind, before, ...(fields && { after: { ...before, ...fields } }) };
}
