/** Checks a summary by HMRC's published rules, before anybody types it in or sends it with another program. */

import type { Days } from '../days.ts';
import type { EntryType } from '../import/options.ts';
import { propertyIdLine } from '../import/rules/property-ids.ts';
import { pounds } from '../pounds.ts';
import { AMOUNT_MAX, CONSOLIDATED, fieldOf, SUMMARY_RULES, type SummaryField } from './fields.ts';
import { type BusinessFigures, type FiguresLine, type SourceFigures, sumLines } from './period-figures.ts';
import { taxYearName, taxYearOf } from './periods.ts';
import { isOfEachProperty, summaryItems } from './summary.ts';

export interface Violation {
  /** In the summary, such as `ukProperty.income.periodAmount`. */
  field: string;
  rule: 'minimum' | 'maximum' | 'decimals' | 'unknown' | 'exclusive' | 'empty' | 'required' | 'tax year';
  value: number | null;
  /** The properties or businesses that it is about. */
  sourceIds: string[];
  /** The entries that cause it: below the minimum, the refunds. */
  ids: string[];
  /** The sentence for people. */
  message: string;
}

/** HMRC has cumulative summaries since 2025-26. */
const FIRST_TAX_YEAR = 2025;

/** The violations of a summary that `summaryOfBusiness` made of the business. */
export function violationsOf(
  summary: Record<string, unknown>,
  business: BusinessFigures,
  days: Days,
): Violation[] {
  const { type, sources } = business;
  const ofBusiness = (field: string, rule: Violation['rule'], message: string) =>
    newViolation({ sources }, field, rule, message);
  if (!SUMMARY_RULES[type])
    return [ofBusiness('', 'unknown', `HMRC's rules for ${type} are not known here.`)];
  const year = taxYearName(FIRST_TAX_YEAR);
  return [
    ...(taxYearOf(days.to) < FIRST_TAX_YEAR
      ? [ofBusiness('', 'tax year', `HMRC takes cumulative summaries since ${year}.`)]
      : []),
    ...sectionsOf(summary, business, days).flatMap((section) => [
      ...(type === 'foreign-property' ? missingIn(section, days) : []),
      ...amountsIn('income', section, business),
      ...amountsIn('expense', section, business),
    ]),
  ];
}

/** The part of a summary with income and expenses, and the figures behind it. */
interface SummarySection {
  path: string;
  /** `countryCode` or `propertyId` of foreign property. */
  facts: Record<string, unknown>;
  income: [name: string, value: unknown];
  expense: [name: string, value: unknown];
  sources: readonly SourceFigures[];
  lines: readonly FiguresLine[];
}

function sectionsOf(
  summary: Record<string, unknown>,
  business: BusinessFigures,
  days: Days,
): SummarySection[] {
  const { type, sources, lines } = business;
  const section = (
    path: string,
    value: unknown,
    figures: Pick<SummarySection, 'sources' | 'lines'>,
  ): SummarySection => {
    const facts = value as Record<string, unknown>;
    return {
      path,
      facts,
      ...figures,
      income: [`${path}.income`, facts.income],
      expense: [`${path}.expenses`, facts.expenses],
    };
  };
  switch (type) {
    case 'uk-property':
      return [section('ukProperty', summary.ukProperty, { sources, lines })];
    case 'foreign-property': {
      const items = summary.foreignProperty as unknown[];
      return summaryItems(sources, days).map((ofItem, index) =>
        section(`foreignProperty.${index}`, items[index], { sources: ofItem, lines: sumLines(type, ofItem) }),
      );
    }
    default:
      return [
        {
          path: '',
          facts: {},
          sources,
          lines,
          income: ['periodIncome', summary.periodIncome],
          expense: ['periodExpenses', summary.periodExpenses],
        },
      ];
  }
}

/** The fact that names an item of property abroad. */
function missingIn(section: SummarySection, days: Days): Violation[] {
  const { path, facts, sources } = section;
  const [source] = sources.map((each) => each.source);
  if (isOfEachProperty(days)) {
    if (typeof facts.propertyId === 'string') return [];
    const line = propertyIdLine(source?.name ?? '', '…');
    const text = `HMRC asks for its own id of each property abroad. Add a line to your rules: ${line}`;
    return [newViolation(section, `${path}.propertyId`, 'required', text)];
  }
  if (/^[A-Z]{3}$/.test(String(facts.countryCode))) return [];
  const text = 'HMRC takes a code of three letters, and has none of this country: ask HMRC which one to use.';
  return [newViolation(section, `${path}.countryCode`, 'required', text)];
}

function amountsIn(type: EntryType, section: SummarySection, business: BusinessFigures): Violation[] {
  const [name, part] = section[type];
  const amounts = leavesOf(part);
  if (amounts.length === 0)
    return [
      newViolation(section, name, 'empty', 'HMRC takes no empty object: an amount of 0 is to be sent.'),
    ];
  const rules = Object.values(SUMMARY_RULES[business.type]?.[type] ?? {});
  const fieldAt = (path: string): SummaryField | undefined =>
    type === 'expense' && path === CONSOLIDATED.path
      ? CONSOLIDATED
      : rules.find((field) => field?.path === path);
  const itemised = amounts.filter(([path]) => path !== CONSOLIDATED.path && !fieldAt(path)?.isApart);
  const isBoth = itemised.length < amounts.length && amounts.some(([path]) => path === CONSOLIDATED.path);
  const both = isBoth && type === 'expense' ? itemised : [];
  return [
    ...both.map(([path, value]) => {
      const text = 'HMRC takes either consolidatedExpenses or this amount.';
      return { ...newViolation(section, `${name}.${path}`, 'exclusive', text), value: Number(value) };
    }),
    ...amounts.flatMap(([path, value]) => {
      const broken = brokenBy(value, fieldAt(path));
      if (!broken) return [];
      const lines = section.lines.filter((line) => {
        const field = line.type === type ? fieldOf(business.type, type, line.category) : undefined;
        return field && (field.path === path || (path === CONSOLIDATED.path && !field.isApart));
      });
      const ids = lines.flatMap((line) =>
        broken.rule === 'minimum' ? line.refundIds : [...line.ids, ...line.refundIds],
      );
      const { rule, message } = broken;
      return [{ ...newViolation(section, `${name}.${path}`, rule, message), value: Number(value), ids }];
    }),
  ];
}

function brokenBy(
  value: unknown,
  field: SummaryField | undefined,
): Pick<Violation, 'rule' | 'message'> | undefined {
  if (!field) return { rule: 'unknown', message: 'HMRC has no such field.' };
  const amount = Number(value);
  const shown = shownOf(amount);
  if (amount < (field.isSigned ? -AMOUNT_MAX : 0)) {
    const least = field.isSigned
      ? shownOf(-AMOUNT_MAX)
      : '0.00: refunds and stated sums exceed the other entries so far';
    return { rule: 'minimum', message: `HMRC refuses ${shown}. It takes no amount below ${least}.` };
  }
  if (amount > AMOUNT_MAX)
    return {
      rule: 'maximum',
      message: `HMRC refuses ${shown}. It takes no amount above ${shownOf(AMOUNT_MAX)}.`,
    };
  if (!/^-?\d+(\.\d{1,2})?$/.test(String(value)))
    return { rule: 'decimals', message: `HMRC refuses ${value}. It takes pounds with two decimals.` };
  return undefined;
}

const shownOf = (amount: number) => pounds(BigInt(Math.round(amount * 100)));

/** The amounts by the names on the way to them. */
const leavesOf = (value: unknown): [path: string, value: unknown][] =>
  Object.entries((value ?? {}) as object).flatMap(([name, each]): [string, unknown][] =>
    typeof each === 'object' && each !== null
      ? leavesOf(each).map(([path, leaf]) => [`${name}.${path}`, leaf])
      : [[name, each]],
  );

const newViolation = (
  { sources }: Pick<SummarySection, 'sources'>,
  field: string,
  rule: Violation['rule'],
  message: string,
): Violation => ({
  field,
  rule,
  message,
  value: null,
  sourceIds: sources.map(({ source }) => source.id),
  ids: [],
});
