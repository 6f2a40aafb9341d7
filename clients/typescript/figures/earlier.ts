/** Reads the document of an earlier `ledger figures --json`, and checks that it can be compared with the figures now. */

import { type Days, isDay } from '../days.ts';
import { OwnFileError } from '../export/own-file-error.ts';
import type { EntryType } from '../import/options.ts';
import { pounds } from '../pounds.ts';
import type { Source } from '../resources.ts';
import { DOCUMENT_VERSION } from './document.ts';
import { shareOf } from './period-figures.ts';
import { type FigureEntry, type FigureSource, figurePence, type Snapshot } from './snapshot.ts';
import type { YearFigures } from './year.ts';

const DAMAGED_FIGURES = 'is damaged or was edited: take the file as `ledger figures --json` wrote it';
const NO_FIGURES = 'is not the document of `ledger figures --json`';

/** The figures that are compared with the document. */
export interface ComparableFigures {
  year: Pick<YearFigures, 'taxYear' | 'quarters' | 'periods'>;
  /** All sources of the account. */
  sources: readonly Source[];
  /** The id of the only source; null: all. */
  source: string | null;
}

type Value = Record<string, unknown>;

/** @throws OwnFileError for another file, a damaged one, and figures of another account, year, kind of quarters or source */
export function earlierSnapshot(text: string, present: ComparableFigures): Snapshot {
  const document = parsedDocument(text);
  requireComparable(document, present);
  const period = listInDocument(document.periods).at(-1) ?? {};
  const { from, to } = period;
  if (!isDay(from) || !isDay(to)) throw new OwnFileError(DAMAGED_FIGURES);
  const now = present.year.periods.at(-1) as Days;
  if (from !== now.from) throw new OwnFileError(`begins on ${from}, and these figures begin on ${now.from}`);
  if (to > now.to)
    throw new OwnFileError(`goes to ${to}, beyond ${now.to}: choose a later quarter, or an earlier file`);
  const only = document.source === null ? present.source : null;
  const sources = listInDocument(period.businesses).flatMap((business) =>
    listInDocument(business.sources).map(sourceInDocument(business)),
  );
  const byId = new Map(sources.map((source) => [source.id, source]));
  const isOfAccount = present.sources.some(({ id }) => byId.has(id));
  if (!isOfAccount && sources.length > 0)
    throw new OwnFileError('is of another account: none of its sources is in this one');
  const entries = new Map<string, FigureEntry>();
  for (const value of listInDocument(document.entries)) {
    const entry = entryInSnapshot(value, byId);
    if (entries.has(entry.id) || entry.date < from || entry.date > to)
      throw new OwnFileError(DAMAGED_FIGURES);
    entries.set(entry.id, entry);
  }
  requireSums(listInDocument(period.businesses), byId, entries);
  const isChosen = (source: FigureSource) => only === null || source.id === only;
  return {
    from,
    to,
    sources: sources.filter(isChosen),
    entries: new Map([...entries].filter(([, { source }]) => isChosen(source))),
  };
}

function parsedDocument(text: string): Value {
  let document: Value;
  try {
    document = JSON.parse(text);
  } catch {
    throw new OwnFileError(DAMAGED_FIGURES);
  }
  if (typeof document?.taxYear !== 'string' || !Array.isArray(document.periods))
    throw new OwnFileError(NO_FIGURES);
  return document;
}

function requireComparable(
  document: Value,
  { year: { taxYear, quarters }, source, sources }: ComparableFigures,
): void {
  const { version } = document;
  if (version === undefined) {
    throw new OwnFileError(
      'is of an earlier version of `ledger`, which did not write the entries: keep a file of this version for the next update',
    );
  }
  if (version !== DOCUMENT_VERSION)
    throw new OwnFileError('is of a later version of `ledger`: install that version');
  if (document.taxYear !== taxYear)
    throw new OwnFileError(`is of the tax year ${document.taxYear}, and these figures are of ${taxYear}`);
  if (document.quarters !== quarters) {
    const kind = (value: unknown) =>
      value === 'calendar' ? 'quarters from 1 April' : 'quarters from 6 April';
    throw new OwnFileError(`has ${kind(document.quarters)}, and these figures have ${kind(quarters)}`);
  }
  if (!isTextOrNull(document.source)) throw new OwnFileError(DAMAGED_FIGURES);
  if (document.source !== null && document.source !== source) {
    const name = sources.find(({ id }) => id === document.source)?.name ?? document.source;
    throw new OwnFileError(`is of one source alone, ${name}: compare it with the figures of that source`);
  }
}

/** The entries of each line add up to it, and no others are in a figure. */
function requireSums(
  businesses: readonly Value[],
  sources: ReadonlyMap<string, FigureSource>,
  entries: ReadonlyMap<string, FigureEntry>,
): void {
  const sums = new Map<string, bigint>();
  const keyOf = (source: unknown, type: unknown, category: unknown) =>
    JSON.stringify([source, type, category]);
  for (const entry of entries.values()) {
    if (!entry.figure) continue;
    const key = keyOf(entry.source.id, entry.figure.type, entry.figure.category);
    sums.set(key, (sums.get(key) ?? 0n) + figurePence(entry));
  }
  for (const { id, lines } of businesses.flatMap((business) => listInDocument(business.sources))) {
    const source = sources.get(`${id}`);
    for (const { type, category, pence, sharePence, statedPence } of listInDocument(lines)) {
      const ofEntries = sums.get(keyOf(id, type, category));
      sums.delete(keyOf(id, type, category));
      if (typeof pence !== 'number' || (ofEntries === undefined && statedPence === undefined))
        throw new OwnFileError(DAMAGED_FIGURES);
      const stated = statedIn(statedPence);
      const sum = (ofEntries ?? 0n) + stated;
      const share = shareOf(ofEntries ?? 0n, source?.percent ?? 0) + stated;
      if (pence === Number(sum) && sharePence === Number(share)) continue;
      const figure = `${category} of ${source?.name} is ${pounds(pence)}`;
      const added = `the entries add up to ${pounds(sum)}, the share to ${pounds(share)}`;
      throw new OwnFileError(`${DAMAGED_FIGURES}. In it ${figure}, and ${added}`);
    }
  }
  if (sums.size > 0) throw new OwnFileError(DAMAGED_FIGURES);
}

function listInDocument(value: unknown): Value[] {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
  if (!isList) throw new OwnFileError(DAMAGED_FIGURES);
  return value;
}

const sourceInDocument =
  ({ type, countryCode }: Value) =>
  ({ id, name, sharePercent, entriesAre, lines }: Value): FigureSource => {
    const isShare = typeof sharePercent === 'number' && sharePercent >= 0 && sharePercent <= 100;
    if (!isText(id) || !isText(name) || !isText(type) || !isTextOrNull(countryCode) || !isShare)
      throw new OwnFileError(DAMAGED_FIGURES);
    return {
      id,
      name,
      type: type as Source['type'],
      countryCode,
      percent: entriesAre === 'share' ? 100 : sharePercent,
      stated: listInDocument(lines).flatMap(({ type, category, statedPence }) => {
        const pence = statedIn(statedPence);
        if (!isEntryType(type) || !isText(category)) throw new OwnFileError(DAMAGED_FIGURES);
        return pence === 0n ? [] : [{ type, category, pence }];
      }),
    };
  };

/** Documents before there were stated sums have none. */
function statedIn(pence: unknown = 0): bigint {
  if (!Number.isSafeInteger(pence)) throw new OwnFileError(DAMAGED_FIGURES);
  return BigInt(pence as number);
}

function entryInSnapshot(value: Value, sources: ReadonlyMap<string, FigureSource>): FigureEntry {
  const { id, date, type, category, amountPence, description, externalRef, figure } = value;
  const source = sources.get(`${value.sourceId}`);
  const counted = (figure ?? {}) as Value;
  const isOwn = counted.type === type && counted.category === category;
  const isFigure =
    category === null ? figure === null || (isEntryType(counted.type) && isText(counted.category)) : isOwn;
  const isAmount = Number.isSafeInteger(amountPence) && Number(amountPence) > 0;
  const isEntry =
    isText(id) &&
    isDay(date) &&
    isEntryType(type) &&
    isTextOrNull(category) &&
    isTextOrNull(description) &&
    isTextOrNull(externalRef);
  if (!source || !isEntry || !isAmount || !isFigure) throw new OwnFileError(DAMAGED_FIGURES);
  return {
    id,
    date,
    type,
    category,
    amountPence: amountPence as number,
    description,
    externalRef,
    source,
    figure: figure as FigureEntry['figure'],
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isEntryType = (value: unknown): value is EntryType => value === 'income' || value === 'expense';
