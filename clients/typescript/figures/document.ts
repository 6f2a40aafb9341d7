/** Figures for programs, with the entries of the period, so that later figures can be compared with them. */

import { recordedOn } from '../days.ts';
import { isFinal, readingsOf } from './business-notes.ts';
import type {
  AmountReading,
  BusinessFigures,
  FiguresLine,
  SourceFigures,
  WithoutCategory,
} from './period-figures.ts';
import { profitTotal, TOTALS } from './profit-totals.ts';
import type { FigureEntry, Snapshot } from './snapshot.ts';
import { updateContent, wholeOf } from './update.ts';
import type { PeriodFigures, YearFigures } from './year.ts';

/** Of the document. Documents without a version have no entries. */
export const DOCUMENT_VERSION = 1;

/** @param source the id of the only source; null: all */
export function documentOfFigures(year: YearFigures, { entries }: Snapshot, source: string | null) {
  const { taxYear, quarters, lastYear, quarter, updates, periods, notes, beyond, checks } = year;
  return {
    version: DOCUMENT_VERSION,
    taxYear,
    quarters,
    lastYear,
    quarter: quarter ?? null,
    source,
    submitted: false,
    updates,
    notes: [...notes, ...beyond],
    checks: checks.map(({ entries, ...check }) => ({
      ...check,
      ids: entries.map(({ stored }) => stored.id),
    })),
    periods: periods.map((period) => ({
      name: period.name,
      from: period.from,
      to: period.to,
      cumulative: period.isCumulative,
      isFinal: isFinal(period),
      businesses: period.businesses.map((business) => documentOfBusiness(business, period)),
    })),
    entries: Array.from(entries.values(), documentOfEntry),
  };
}

function documentOfBusiness(business: BusinessFigures, period: PeriodFigures) {
  const { type, countryCode, name, sources } = business;
  return {
    type,
    countryCode,
    name,
    ...sums(business, type),
    sources: sources.map((each) => {
      const { id, name, sharePercent } = each.source;
      const [entriesAre, statedTo] = [
        each.entriesAre ?? null,
        each.stated?.isCounted ? each.stated.to : null,
      ];
      return { id, name, sharePercent, entriesAre, statedTo, ...sums(each, type) };
    }),
    ...(period.isCumulative && {
      ...documentOfUpdate(business, period, 'penceIfShare'),
      ...(readingsOf(wholeOf(business, period).sources).length > 1 && {
        ofShare: documentOfUpdate(business, period, 'penceIfWhole'),
      }),
    }),
  };
}

function documentOfUpdate(business: BusinessFigures, period: PeriodFigures, reading: AmountReading) {
  const { consolidated, jointlyLet, ...content } = updateContent(business, period, reading);
  return {
    ...content,
    consolidated: { ...consolidated, pence: Number(consolidated.pence) },
    jointlyLet: jointlyLet && {
      ...jointlyLet,
      leftOut: jointlyLet.leftOut.map((each) => ({ ...each, pence: Number(each.pence) })),
    },
  };
}

const sums = (
  { withoutCategory, lines }: Pick<SourceFigures, 'withoutCategory' | 'lines'>,
  sourceType: BusinessFigures['type'],
) => ({
  withoutCategory: documentOfWithoutCategory(withoutCategory),
  lines: lines.map(documentOfLine),
  totals: TOTALS.map((label) => ({
    label,
    pence: Number(profitTotal(label, sourceType, lines, ({ pence }) => pence)),
    sharePence: Number(profitTotal(label, sourceType, lines, ({ penceIfWhole }) => penceIfWhole)),
  })),
});

const documentOfWithoutCategory = ({ count, incomePence, expensePence, ids }: WithoutCategory) => ({
  count,
  incomePence: Number(incomePence),
  expensePence: Number(expensePence),
  ids,
});

function documentOfLine({
  type,
  category,
  field,
  pence,
  penceIfWhole,
  statedPence,
  refundPence,
  refundPenceIfWhole,
  ids,
  refundIds,
}: FiguresLine) {
  return {
    type,
    category,
    field: field ?? null,
    pence: Number(pence),
    sharePence: Number(penceIfWhole),
    statedPence: Number(statedPence),
    refundPence: Number(refundPence),
    refundSharePence: Number(refundPenceIfWhole),
    ids,
    refundIds,
  };
}

const documentOfEntry = ({ source, ...entry }: FigureEntry) => ({
  ...entry,
  sourceId: source.id,
  recordedOn: recordedOn(entry.id),
});
