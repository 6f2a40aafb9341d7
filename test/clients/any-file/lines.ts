/** The rows of a drawn file, and the entries that are right. */

import type { DrawnFile, Entry, Item, Line } from './drawn-file.ts';
import { type Payment, signed } from './payments.ts';

export function linesOf(drawn: DrawnFile): Line[] {
  const lines: Line[] = [];
  for (const item of drawn.items) lines.push(...expand(item, lines, drawn));
  let balance = drawn.opening;
  const balanced = lines.map((line) => {
    if (line.heading === undefined && !line.covers) balance += signedOf(line);
    return { ...line, balance };
  });
  return drawn.isNewestFirst ? balanced.toReversed() : balanced;
}

const NOTHING = { payments: [], answer: 'skip', category: '' } as const;

function expand(item: Item, before: readonly Line[], drawn: DrawnFile): Line[] {
  switch (item.kind) {
    case 'payments':
      return [paid(item.payments)];
    case 'again':
      return [{ ...paid([item.payment]), answer: 'skip' }];
    case 'heading':
      return [{ ...NOTHING, text: item.text, heading: item.meaning }];
    case 'total': {
      const covers = covered(before, item.isGrand ?? false);
      const day = drawn.isSeveral || item.isDated ? lastDay(before) : undefined;
      return [{ ...NOTHING, text: item.text, covers, ...(item.isDated && day ? { day } : {}) }];
    }
    case 'opening': {
      const direction = item.pence < 0 ? 'out' : 'in';
      const payment = { ...NO_PAYMENT, day: item.day, pence: Math.abs(item.pence), direction } as const;
      return [{ ...paid([payment]), answer: 'skip', text: item.text }];
    }
    case 'payout': {
      const covers = covered(before, false);
      return [{ ...NOTHING, text: item.text, day: item.day, covers, isOpposite: true, category: 'Payout' }];
    }
    case 'whole': {
      const isWhole = item.keeps === 'whole';
      const whole = { ...paid([item.payment]), answer: isWhole ? 'keep' : 'skip', isWhole: true } as const;
      const parts = item.parts.map(
        (part) =>
          ({ ...paid([part]), answer: isWhole ? 'skip' : 'keep', parent: item.payment.text }) as const,
      );
      return item.isFirst ? [whole, ...parts] : [...parts, whole];
    }
    case 'double': {
      const { payment } = item;
      const root = payment.direction === 'in' ? 'Income' : 'Expenses';
      const bank = { ...paid([payment]), account: 'Assets:Bank' };
      const other = {
        ...bank,
        account: `${root}:${payment.category}`,
        answer: 'skip',
        isOpposite: true,
      } as const;
      return item.isBankFirst ? [bank, other] : [other, bank];
    }
  }
}

const NO_PAYMENT = { id: 0, text: '', happened: false, category: '', property: '' };

function paid(payments: readonly Payment[]): Line {
  const [first] = payments;
  return {
    payments,
    answer: 'keep',
    text: first?.text ?? '',
    day: first?.day ?? '',
    category: first?.category ?? '',
  };
}

/** The rows since the last total or heading; all rows but totals, for a grand total. */
function covered(before: readonly Line[], isGrand: boolean): Line[] {
  const begin = before.findLastIndex((line) => line.covers !== undefined || line.heading !== undefined);
  const since = isGrand ? before : before.slice(begin + 1);
  return since.filter((line) => line.covers === undefined && line.heading === undefined);
}

const lastDay = (lines: readonly Line[]) => lines.findLast(({ day }) => day)?.day;

/** Pence of the account: above 0 is money in. */
export function signedOf(line: Line): number {
  const of = line.covers ? sum(line.covers.map(signedOf)) : sum(line.payments.map(signed));
  return line.isOpposite ? -of : of;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

/** The right entries of the file. A whole and its parts are stored once, either way. */
export function expectedOf(drawn: DrawnFile): Entry[][] {
  const kept = entriesOf(drawn);
  if (!drawn.items.some(({ kind }) => kind === 'whole')) return [kept];
  const items = drawn.items.map((item) =>
    item.kind === 'whole' ? ({ ...item, keeps: item.keeps === 'whole' ? 'parts' : 'whole' } as const) : item,
  );
  return [kept, entriesOf({ ...drawn, items })];
}

function entriesOf(drawn: DrawnFile): Entry[] {
  return linesOf(drawn)
    .filter(({ answer }) => answer === 'keep')
    .flatMap(({ payments }) => payments.filter(({ happened }) => happened))
    .map(({ day, direction, pence }) => ({
      date: day,
      type: direction === 'in' ? 'income' : 'expense',
      amountPence: pence,
    }));
}
