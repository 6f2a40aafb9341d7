/** Turns rows into entries: corrections, source and category, the reference, and the limits of the API. */

import { dayAfter, ukDay } from '../../days.ts';
import type { NewTransaction } from '../../resources.ts';
import { firstCodePoints } from '../files/cells.ts';
import { DESCRIPTION_LENGTH_MAX, type ImportOptions } from '../options.ts';
import type { ImportEntry, ImportResult, Warning } from '../result.ts';
import type { InPounds } from '../rows/in-pounds.ts';
import { type DescribedFile, isValidRow, type ParsedRow, type ValidRow } from '../rows/parsed-row.ts';
import type { RuleMatches } from '../rules/compiled-rules.ts';
import { isWithoutSource } from '../rules/problems.ts';
import { type DateReader, dateReader } from '../values/dates.ts';
import { entryReferences, referenceClaims } from './claims.ts';
import { correctedRow, correctionsByRow } from './corrections.ts';
import { type RowReferences, rowReferences } from './references.ts';
import { describedOf, type RowEntries, type RowResult, rowResults } from './row-result.ts';

type Lists = Pick<
  ImportResult,
  'entries' | 'skipped' | 'invalid' | 'leftOut' | 'leftOutUnreadable' | 'withoutSource' | 'rowsWithoutEntry'
>;

/** A row with its result, before and after its correction. */
interface RowWithResult {
  /** The row as in the file. */
  parsed: ParsedRow;
  /** The row with its correction. */
  shown: ParsedRow;
  references: RowReferences | undefined;
  result: RowResult;
}

/**
 * The results of all rows. References and repeated references are determined from the uncorrected file: a correction changes no reference
 * of a readable row. Rows that only a correction makes readable come after all others.
 * @throws ImportError `unknown_category`, `invalid_rules`
 */
export function entriesOfRows(
  { parsedFile, notation }: Pick<DescribedFile, 'parsedFile' | 'notation'>,
  inPounds: InPounds,
  options: ImportOptions,
  knownReferences: Map<string, string>,
  matches: RuleMatches,
): Lists & Pick<ImportResult, 'rowCount' | 'warnings'> {
  const { parsedRows, columnNames } = parsedFile;
  const correctionOf = correctionsByRow(options);
  const resultOf = rowResults(options, columnNames, matches);
  const referenceOf = rowReferences(options, knownReferences);
  const claim = referenceClaims(options);
  const withReferences = entryReferences();
  const dateOf = dateReader(notation);

  const inFile = parsedRows.map((parsed) => {
    const correction = correctionOf(parsed.row);
    const isLeftOut = correction?.isLeftOut ?? false;
    const result = resultOf(inPounds(parsed));
    const references = isValidRow(parsed) ? referenceOf(parsed) : undefined;
    if (!('entries' in result) || !references) return { parsed, correction, references, result };
    const claimed = claim(parsed, result, references.rowReference, isLeftOut);
    return { parsed, correction, references, result: claimed, isFinal: !('entries' in claimed) };
  });

  const corrected = ({ parsed, correction, references, result, isFinal }: (typeof inFile)[number]) => {
    const asInFile: RowWithResult = { parsed, shown: parsed, references, result };
    if (correction?.isLeftOut) return { ...asInFile, result: leftOutByHand(inPounds(parsed)) };
    if (!correction || isFinal) return asInFile;
    const shown = correctedRow(parsed, correction, notation, columnNames);
    const again = resultOf(inPounds(shown), correction);
    if (!('entries' in again) || 'entries' in result) return { ...asInFile, shown, result: again };
    const own = references ?? referenceOf(shown as ValidRow);
    const claimed = claim(shown, again, own.rowReference, false);
    return { parsed, shown, references: own, result: claimed };
  };

  const lists: Lists = {
    entries: [],
    skipped: [],
    invalid: [],
    leftOut: [],
    leftOutUnreadable: [],
    withoutSource: [],
    rowsWithoutEntry: [],
  };
  for (const each of inFile) {
    const row: RowWithResult = corrected(each);
    const { shown, result, references } = row;
    if ('entries' in result && references)
      row.result = withReferences(shown, result, references.rowReference);
    addTo(lists, row, inPounds, dateOf, options);
  }
  return { rowCount: parsedRows.length, ...lists, warnings: unlikelyDates(lists.entries) };
}

const VALUE_LENGTH_MAX = 200;

const leftOutByHand = (parsed: ParsedRow): RowResult => ({
  leftOut: isValidRow(parsed) ? [{ row: parsed.row, ...describedOf(parsed) }] : [],
});

function addTo(
  lists: Lists,
  { parsed, shown, references, result }: RowWithResult,
  inPounds: InPounds,
  dateOf: DateReader,
  { accountLabel }: ImportOptions,
): void {
  const { row, id } = parsed;
  const isReferenceDerived = parsed.reference === undefined;
  const account = accountLabel ?? parsed.account;
  const ofFile = { isReferenceDerived, account, ...(id !== undefined && { id }) };
  const leftOut = 'leftOut' in result ? result.leftOut : [];
  for (const each of leftOut) lists.leftOut.push({ ...each, isReferenceDerived, ...references });
  if ('entries' in result) {
    lists.entries.push(...readEntries(result, shown, references).map((each) => ({ ...each, ...ofFile })));
    return;
  }
  const texts = shown.texts();
  lists.rowsWithoutEntry.push({ row, ...texts, day: dateOf(texts.date) });
  if ('skipped' in result) {
    lists.skipped.push({ row, reason: result.skipped });
    return;
  }
  if ('leftOut' in result) {
    if (leftOut.length === 0) lists.leftOutUnreadable.push(row);
    return;
  }
  for (const problem of result.problems)
    lists.invalid.push({ row, ...problem, value: problem.value.slice(0, VALUE_LENGTH_MAX) });
  if (!result.problems.every(isWithoutSource) || !isValidRow(shown) || !references) return;
  const described = describedOf(inPounds(shown) as ValidRow);
  const { category } = shown;
  const ofShown = { ...(category !== undefined && { category }), ...earlierOf(shown, described) };
  lists.withoutSource.push({ row, ...described, ...references, ...ofFile, ...ofShown });
}

/** The entries, with the reference of their row if they are its parts. */
const readEntries = (
  { entries }: RowEntries,
  shown: ParsedRow,
  { rowReference, ...others }: Partial<RowReferences> = {},
) =>
  entries.map(({ part, ...read }) => ({
    ...read,
    ...others,
    ...(part !== undefined && { part, ...(rowReference !== undefined && { rowReference }) }),
    ...earlierOf(shown, read.entry),
  }));

/** The entry as an earlier version sent it, with the description of that version. */
function earlierOf(
  { earlier, currency }: ParsedRow,
  { description = '' }: Pick<NewTransaction, 'description'>,
): Pick<ImportEntry, 'earlier'> {
  // No earlier version read other currencies.
  if (!earlier || currency !== undefined) return {};
  const text = firstCodePoints(earlier.description, DESCRIPTION_LENGTH_MAX);
  return text === description ? {} : { earlier: { description: text } };
}

const OLDEST_YEAR = 2000;
// Some banks date a payment of a weekend or a holiday on the next working day.
const DAYS_AHEAD_MAX = 7;

/** A warning for each row dated before 2000, or more than a week after today: mistyped, or planned. Entries are permanent. */
function unlikelyDates(entries: readonly ImportEntry[]): Warning[] {
  const limit = dayAfter(ukDay(new Date()), DAYS_AHEAD_MAX);
  return entries.flatMap(({ row, entry: { date } }, index) => {
    // Another part of the row before.
    if (entries[index - 1]?.row === row) return [];
    const isOld = date < `${OLDEST_YEAR}`;
    if (!isOld && date <= limit) return [];
    const reason = isOld ? `is before ${OLDEST_YEAR}` : 'is more than a week ahead';
    return [{ row, field: 'date', value: date, message: `The date ${date} ${reason}.` }];
  });
}
