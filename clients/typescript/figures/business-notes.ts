/** Notes for people on the figures of a business, for the command, the page and assistants. */

import { entriesAreLine } from '../import/rules/entries-are.ts';
import { pounds } from '../pounds.ts';
import { SUMMARY_RULES } from './fields.ts';
import type { Naming } from './naming.ts';
import { type AmountReading, type BusinessFigures, isBeyond, type SourceFigures } from './period-figures.ts';
import { type UpdateContent, updateContent, wholeOf } from './update.ts';
import type { PeriodFigures } from './year.ts';

type NamedBusiness = Pick<BusinessFigures, 'type' | 'countryCode' | 'name'>;

const REGIONS = new Intl.DisplayNames('en-GB', { type: 'region' });

export function businessName({ type, countryCode, name }: NamedBusiness): string {
  if (type === 'uk-property') return 'UK property';
  if (type !== 'foreign-property') return `${type === 'self-employment' ? 'Self-employment' : type}: ${name}`;
  return countryCode === null ? 'Property abroad' : `Property in ${REGIONS.of(countryCode)}`;
}

/** Whether nobody has said if the entries of a jointly held source are the whole or the share. */
export const isShareOpen = ({ source, entriesAre }: SourceFigures) =>
  source.sharePercent !== 100 && entriesAre === undefined;

/** Whether every entry is in a figure, and each figure is one. */
export const isFinal = ({ businesses, isCumulative }: PeriodFigures) =>
  businesses.every(
    ({ withoutCategory, sources }) =>
      withoutCategory.count === 0 &&
      !sources.some((each) => isShareOpen(each) || (isCumulative && isBeyond(each))),
  );

const CONDITIONS: Record<AmountReading, string> = {
  penceIfShare: 'if entries are your share',
  penceIfWhole: 'if entries are of the whole',
};

/** The readings to show: one, or two as long as it is open which one is right. */
export function readingsOf(
  sources: readonly SourceFigures[],
): { reading: AmountReading; condition?: string }[] {
  if (!sources.some(isShareOpen)) return [{ reading: 'penceIfWhole' }];
  return (Object.keys(CONDITIONS) as AmountReading[]).map((reading) => ({
    reading,
    condition: CONDITIONS[reading],
  }));
}

/** The expenses that stay itemised beside `consolidatedExpenses`. */
const APART_TEXTS: Record<string, string> = {
  'uk-property': ' other than residential finance costs and rent-a-room',
  'foreign-property': ' other than residential finance costs',
};

/** Notes on the shares, on sums without a field, and on the update of the year so far. */
export function notesOf(business: BusinessFigures, period: PeriodFigures, naming: Naming): string[] {
  const { type, sources, lines } = business;
  return [
    ...sources.flatMap((each) => [...shareNotes(each), ...statedNotes(each, naming)]),
    ...lines
      .filter(({ field }) => field === undefined)
      .map(
        (line) =>
          `${naming.category(line)} has no field in the summary${line.category === 'seTaxDeducted' ? ': CIS deductions are reported by contractors.' : ', and is no category of this type any more.'}`,
      ),
    ...(type === 'foreign-property'
      ? ['All property abroad is one quarterly update, of all countries together.']
      : []),
    ...notesOfUpdate(business, period, (content) => [
      ...consolidatedNotes(content, type, naming),
      ...jointNotes(content, naming),
    ]),
  ];
}

/** Whether HMRC would refuse the update of the year so far. */
export const isRefused = (business: BusinessFigures, period: PeriodFigures): boolean =>
  readingsOf(wholeOf(business, period).sources).some(
    ({ reading }) => updateContent(business, period, reading).violations.length > 0,
  );

/** Why HMRC would refuse the update of the year so far: of property abroad, the update of all countries. */
export const refusalsOf = (business: BusinessFigures, period: PeriodFigures, naming: Naming): string[] =>
  notesOfUpdate(business, period, ({ violations }) =>
    violations.map((violation) => {
      const { message, ids } = violation;
      const field = naming.field(violation);
      const more = ids.length > IDS_SHOWN ? ` and ${ids.length - IDS_SHOWN} more` : '';
      const behind = ids.length > 0 ? ` Entries: ${ids.slice(0, IDS_SHOWN).join(', ')}${more}.` : '';
      return `${field === '' ? '' : `${field}: `}${message}${behind}`;
    }),
  );

/** Texts that depend on whether entries are the whole or the share name the condition. */
function notesOfUpdate(
  business: BusinessFigures,
  period: PeriodFigures,
  textsOf: (content: UpdateContent) => string[],
): string[] {
  if (!period.isCumulative) return [];
  const alternatives = readingsOf(wholeOf(business, period).sources).map(({ reading, condition = '' }) => ({
    condition: `${condition.charAt(0).toUpperCase()}${condition.slice(1)}`,
    texts: textsOf(updateContent(business, period, reading)),
  }));
  const isCommon = (text: string) => alternatives.every(({ texts }) => texts.includes(text));
  const named = alternatives.flatMap(({ condition, texts }) =>
    texts.map((text) => (isCommon(text) ? text : `${condition}: ${text}`)),
  );
  return [...new Set(named)];
}

function shareNotes(figures: SourceFigures): string[] {
  const { source, entriesAre } = figures;
  const { name, sharePercent } = source;
  if (isShareOpen(figures)) {
    const lines = (['share', 'whole'] as const).map((each) => entriesAreLine(name, each)).join(', or: ');
    return [
      `Your share of ${name} is ${sharePercent} %. Are its entries of the whole, or your share already? Add a line to your rules: ${lines}. Until then the figures show both.`,
    ];
  }
  if (sharePercent === 100) return [];
  return [
    entriesAre === 'share'
      ? `The entries of ${name} are your share already (${sharePercent} %), by your rules: the figures are their sums.`
      : `The entries of ${name} are of the whole, by your rules: the figures are your share, ${sharePercent} %.`,
  ];
}

function statedNotes({ source, stated }: SourceFigures, naming: Naming): string[] {
  if (!stated?.isCounted) return [];
  const sums = stated.sums.map((each) => `${naming.category(each)} ${pounds(each.pence)}`);
  return [
    `${source.name} has sums of other software for ${stated.from} to ${stated.to}, by your rules: ${sums.join(', ')}.`,
  ];
}

const IDS_SHOWN = 5;

const ALLOWED = {
  'so far': 'Allowed so far',
  no: 'Not allowed',
  ask: "HMRC's guides do not decide whether it is allowed",
} as const;

function consolidatedNotes(
  { consolidated }: UpdateContent,
  type: BusinessFigures['type'],
  naming: Naming,
): string[] {
  if (!(type in SUMMARY_RULES)) return [];
  const { pence, allowed, why } = consolidated;
  return [
    `${naming.consolidated}, one sum of the expenses${APART_TEXTS[type] ?? ''}, is ${pounds(pence)}. ${ALLOWED[allowed]}. ${why}`,
  ];
}

function jointNotes({ jointlyLet }: UpdateContent, naming: Naming): string[] {
  if (!jointlyLet) return [];
  const left = jointlyLet.leftOut.map(
    ({ category, pence }) => `${naming.category({ type: 'expense', category })} ${pounds(pence)}`,
  );
  return [
    `Jointly let property: your quarterly updates may have its income only, and its expenses come at the end of the tax year${left.length > 0 ? ` (so far ${left.join(', ')})` : ''}. You may keep one record per category: of income for each quarter, of expenses for the year.`,
  ];
}
