/** The figures of the tax year 2026-27 by the model, and the figures of the command in the same form. */
import type { Json } from '../../fixtures/client.ts';
import type { Payment } from './year-model.ts';

/** The standard quarters, and the year. */
const PERIODS = [
  ['2026-04-06', '2026-07-05'],
  ['2026-07-06', '2026-10-05'],
  ['2026-10-06', '2027-01-05'],
  ['2027-01-06', '2027-04-05'],
  ['2026-04-06', '2027-04-05'],
] as const;

/** `from source type category` and the pence, less refunds; an entry for the review queue has the category `none`. Sorted. */
export function expectedFigures(payments: readonly Payment[]): string[] {
  return PERIODS.flatMap(([from, to]) => {
    const sums = new Map<string, number>();
    for (const { date, entries } of payments) {
      if (date < from || date > to) continue;
      for (const { source, type, category, pence, refundOf } of entries) {
        const otherType = type === 'income' ? 'expense' : 'income';
        const key = refundOf
          ? [from, to, source, otherType, refundOf].join(' ')
          : [from, to, source, type, category ?? 'none'].join(' ');
        sums.set(key, (sums.get(key) ?? 0) + (refundOf ? -pence : pence));
      }
    }
    return [...sums].map(([key, pence]) => `${key} ${pence}`);
  }).sort();
}

/** The same of the document of `ledger figures`. */
export function figuresOf({ periods }: Json): string[] {
  return periods
    .flatMap(({ from, to, businesses }: Json) =>
      businesses.flatMap(({ sources }: Json) =>
        sources.flatMap(({ name, lines, withoutCategory }: Json) => [
          ...lines.map(({ type, category, pence }: Json) =>
            [from, to, name, type, category, pence].join(' '),
          ),
          ...(['income', 'expense'] as const).flatMap((type) => {
            const pence = withoutCategory[`${type}Pence`];
            return pence === 0 ? [] : [from, to, name, type, 'none', pence].join(' ');
          }),
        ]),
      ),
    )
    .sort();
}
