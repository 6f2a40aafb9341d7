/**
 * `consolidatedExpenses`, the three-line total, and whether HMRC takes it. The rule is one sentence of HMRC's guide: customers with an annual turnover of less
 * than 90,000 pounds can report one sum of expenses (hmrc/income-tax-mtd-end-to-end-service-guide, make-updates-during-tax-year). It does not say whether
 * other business income and rent-a-room rents are turnover, nor whether several businesses count together. For property abroad, the service takes the sum, and
 * the three-line account of the tax return is not for it. Where that decides, a person has to.
 */
import { pounds } from '../pounds.ts';
import { fieldOf } from './fields.ts';
import type { AmountReading, BusinessFigures, FiguresLine } from './period-figures.ts';
import { taxYearName } from './periods.ts';

/** The VAT registration threshold in pence, by the first year of a tax year. HMRC sets it for each year. */
const THRESHOLDS: Readonly<Record<number, bigint>> = { 2025: 9_000_000n, 2026: 9_000_000n };

export interface Consolidated {
  /** The expenses that the one sum replaces. */
  pence: bigint;
  /** `ask`: HMRC's guides do not decide it. */
  allowed: 'so far' | 'no' | 'ask';
  why: string;
}

/** @param all the businesses of the account, or of one source (`isOfOneSource`). @param start of the tax year */
export function consolidatedOf(
  business: BusinessFigures,
  all: readonly BusinessFigures[],
  { start, isOfOneSource }: { start: number; isOfOneSource: boolean },
  reading: AmountReading,
): Consolidated {
  const pence = sumOfLines(
    business.lines.filter(({ type, category }) => {
      const field = type === 'expense' ? fieldOf(business.type, type, category) : undefined;
      return field !== undefined && !field.isApart;
    }),
    reading,
  );
  return { pence, ...decided(business, all, { start, isOfOneSource }, reading) };
}

function decided(
  business: BusinessFigures,
  all: readonly BusinessFigures[],
  { start, isOfOneSource }: { start: number; isOfOneSource: boolean },
  reading: AmountReading,
): Pick<Consolidated, 'allowed' | 'why'> {
  const threshold = THRESHOLDS[start];
  const year = taxYearName(start);
  if (threshold === undefined)
    return { allowed: 'ask', why: `The VAT registration threshold of ${year} is not known here.` };
  // All property abroad is one business of HMRC.
  const own =
    business.type === 'foreign-property' ? all.filter(({ type }) => type === business.type) : [business];
  const alike = all.filter(({ type }) => isTrade(type) === isTrade(business.type));
  const [turnover, most] = [turnoverOf(own, reading, false), turnoverOf(alike, reading, true)];
  const limit = `the VAT registration threshold of ${pounds(threshold)}`;
  if (turnover >= threshold)
    return {
      allowed: 'no',
      why: `The turnover of the year so far is ${pounds(turnover)}, not below ${limit}.`,
    };
  if (isOfOneSource)
    return {
      allowed: 'ask',
      why: `These figures are of one source. HMRC compares the turnover of all with ${limit}.`,
    };
  if (most >= threshold)
    return {
      allowed: 'ask',
      why: `The turnover of the year so far is ${pounds(turnover)}. With other income and ${isTrade(business.type) ? 'all businesses' : 'all property'} it is ${pounds(most)}, not below ${limit}, and HMRC's guides do not say which one counts: ask HMRC or an accountant.`,
    };
  if (business.type === 'foreign-property')
    return {
      allowed: 'ask',
      why: `The turnover of the year so far is ${pounds(turnover)}, below ${limit}. HMRC's service takes it for property abroad, but the three-line account of the tax return is not for that: ask HMRC or an accountant.`,
    };
  return {
    allowed: 'so far',
    why: `The turnover of the year so far is ${pounds(turnover)}, below ${limit}. That is for a full year: count your turnover up to one if you began in the year.`,
  };
}

const isTrade = (type: BusinessFigures['type']) => type === 'self-employment';

function turnoverOf(
  businesses: readonly BusinessFigures[],
  reading: AmountReading,
  withUnclear: boolean,
): bigint {
  return businesses
    .map(({ type, lines }) => {
      const inTurnover = lines.filter((line) => {
        const { turnover } = (line.type === 'income' && fieldOf(type, 'income', line.category)) || {};
        return turnover === 'yes' || (withUnclear && turnover === 'unclear');
      });
      return sumOfLines(inTurnover, reading);
    })
    .reduce((total, each) => total + each, 0n);
}

const sumOfLines = (lines: readonly FiguresLine[], reading: AmountReading) =>
  lines.reduce((total, line) => total + line[reading], 0n);
