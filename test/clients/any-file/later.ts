/** A later file of a kind: the same columns, words and signs, with other days and amounts. */

import type { DrawnFile, Item } from './drawn-file.ts';
import type { Payment } from './payments.ts';

const DAYS = 84;

export function later(drawn: DrawnFile): DrawnFile {
  return { ...drawn, items: drawn.items.map(moved), opening: drawn.opening + 12_345 };
}

function moved(item: Item): Item {
  switch (item.kind) {
    case 'payments':
      return { ...item, payments: item.payments.map(changed) };
    case 'again':
    case 'double':
      return { ...item, payment: changed(item.payment) };
    case 'whole': {
      const parts = item.parts.map(changed);
      const pence = parts.reduce((sum, part) => sum + part.pence, 0);
      return { ...item, payment: { ...changed(item.payment), pence }, parts };
    }
    case 'opening':
    case 'payout':
      return { ...item, day: shifted(item.day) };
    default:
      return item;
  }
}

const changed = (payment: Payment): Payment => ({
  ...payment,
  day: shifted(payment.day),
  pence: payment.pence + 100 * (1 + (payment.pence % 7)),
});

const shifted = (day: string) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAYS * 86_400_000).toISOString().slice(0, 10);
