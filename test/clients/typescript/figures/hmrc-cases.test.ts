/** Each case of HMRC's own tests of its validators: our check accepts and refuses the same summaries. */
import { describe, expect, test } from 'bun:test';
import type { BusinessFigures } from '../../../../clients/typescript/figures/period-figures.ts';
import { cumulativeDays } from '../../../../clients/typescript/figures/periods.ts';
import { wholeOf } from '../../../../clients/typescript/figures/update.ts';
import { violationsOf } from '../../../../clients/typescript/figures/violations.ts';
import type { PeriodFigures } from '../../../../clients/typescript/figures/year.ts';
import { ImportError } from '../../../../clients/typescript/import/import-error.ts';
import { propertyIdsOf } from '../../../../clients/typescript/import/rules/property-ids.ts';
import { emptyBooks, figuresOf } from './hmrc-books.ts';
import {
  ABROAD_CASES,
  type Case,
  type Summary,
  TRADE_CASES,
  UK_CASES,
  wholeAbroad,
  wholeTrade,
  wholeUk,
} from './hmrc-cases.ts';

const businessesOf = (start: 2025 | 2026) => {
  const period = figuresOf(emptyBooks(start), []).periods.at(-1) as PeriodFigures;
  const [uk, france, trade] = [0, 1, 3].map((index) => period.businesses[index] as BusinessFigures);
  // In 2025-26 an item is a country, then a property: two of each.
  const abroad = start === 2025 && france ? wholeOf(france, period) : france;
  return { uk, abroad, trade };
};

type Kind = 'uk' | 'abroad' | 'trade';
const SETS: [name: string, start: 2025 | 2026, kind: Kind, whole: () => Summary, cases: Case[]][] = [
  ['UK property', 2025, 'uk', wholeUk, UK_CASES],
  ['property abroad in 2025-26', 2025, 'abroad', wholeAbroad[2025], ABROAD_CASES[2025]],
  ['property abroad since 2026-27', 2026, 'abroad', wholeAbroad[2026], ABROAD_CASES[2026]],
  ['self-employment', 2025, 'trade', wholeTrade, TRADE_CASES],
];

const SOURCES = [3, 4].map((index) => ({
  id: `s${index}`,
  name: `Source ${index}`,
  type: 'foreign-property',
}));

describe.each(SETS)('%s', (_, start, kind, whole, cases) => {
  const business = businessesOf(start)[kind] as BusinessFigures;
  const days = cumulativeDays(start, 1, 'standard');

  test.each(cases.map((each) => [each.what, each] as const))('%s', (_, each) => {
    if ('rules' in each) {
      for (const lines of each.rules)
        expect(() => propertyIdsOf(lines.join('\n'), SOURCES)).toThrow(ImportError);
      return;
    }
    const { of: changes = [() => {}], refused = [] } = each;
    expect(changes).toHaveLength(refused.length);
    for (const [index, change] of changes.entries()) {
      const summary = whole();
      change(summary);
      const found = violationsOf(summary, business, days).map(({ field, rule }) => `${field} ${rule}`);
      expect(found.sort()).toEqual([...(refused[index] ?? [])].sort());
    }
  });
});
