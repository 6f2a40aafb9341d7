/** The content of a quarterly update in HMRC's shape, checked by its rules. It submits nothing. */
import { type Consolidated, consolidatedOf } from './consolidated.ts';
import { type AmountReading, type BusinessFigures, sumLines } from './period-figures.ts';
import { taxYearOf } from './periods.ts';
import { type Form, summaryOfBusiness } from './summary.ts';
import { type Violation, violationsOf } from './violations.ts';
import type { PeriodFigures } from './year.ts';

interface CheckedSummary {
  summary: Record<string, unknown>;
  violations: Violation[];
}

export interface UpdateContent extends CheckedSummary {
  consolidated: Consolidated & CheckedSummary;
  /** Only for property with a share below 100 %. */
  jointlyLet: (CheckedSummary & { leftOut: { category: string; pence: bigint }[] }) | undefined;
}

/** The figures of one update: property abroad of all countries together. */
export function wholeOf(
  business: BusinessFigures,
  { businesses }: Pick<PeriodFigures, 'businesses'>,
): BusinessFigures {
  const { type } = business;
  if (type !== 'foreign-property') return business;
  const sources = businesses.filter((each) => each.type === type).flatMap((each) => each.sources);
  return { ...business, countryCode: null, sources, lines: sumLines(type, sources) };
}

/** @param period from the beginning of the tax year. @param reading of its amounts: see `FiguresLine` */
export function updateContent(
  business: BusinessFigures,
  period: PeriodFigures,
  reading: AmountReading,
): UpdateContent {
  const checked = (figures: BusinessFigures, form?: Form): CheckedSummary => {
    const summary = summaryOfBusiness(figures, period, reading, form);
    return { summary, violations: violationsOf(summary, figures, period) };
  };
  const { businesses, isOfOneSource } = period;
  const whether = { start: taxYearOf(period.to), isOfOneSource };
  const whole = wholeOf(business, period);
  return {
    ...checked(whole),
    consolidated: {
      ...consolidatedOf(business, businesses, whether, reading),
      ...checked(whole, 'consolidated'),
    },
    jointlyLet: jointlyLetOf(whole, reading, checked),
  };
}

/**
 * HMRC's easement for jointly let property: the updates may have the income alone, and the expenses come at the end of the tax year. Notice
 * “Making Tax Digital for Income Tax: digital record-keeping” of 17 January 2025, section 1, and the update notice to which it refers.
 */
function jointlyLetOf(
  business: BusinessFigures,
  reading: AmountReading,
  checked: (figures: BusinessFigures) => CheckedSummary,
): UpdateContent['jointlyLet'] {
  const { type, sources } = business;
  const isJoint = ({ source }: BusinessFigures['sources'][number]) => source.sharePercent !== 100;
  if (type === 'self-employment' || !sources.some(isJoint)) return undefined;
  const left = sources.map((each) =>
    isJoint(each) ? { ...each, lines: each.lines.filter((line) => line.type === 'income') } : each,
  );
  const expenses = sources
    .filter(isJoint)
    .map((each) => ({ lines: each.lines.filter((line) => line.type === 'expense') }));
  return {
    ...checked({ ...business, sources: left, lines: sumLines(type, left) }),
    leftOut: sumLines(type, expenses).map((line) => ({ category: line.category, pence: line[reading] })),
  };
}
