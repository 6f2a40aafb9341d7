/** Reads a file with the answers that are kept for its account, header and format. */

import { plainPounds } from '../../pounds.ts';
import { ImportError } from '../import-error.ts';
import type { Format, ImportOptions } from '../options.ts';
import { type ColumnAnswers, MEANINGS, type Question, UNITS } from '../questions-and-answers.ts';
import { isValidRow, type ParsedFile, type ParsedRow } from '../rows/parsed-row.ts';
import { accountName, isFor, type KeptAnswers, keptAnswersOf } from '../rules/kept-answers.ts';
import { withFallback, withoutEach } from './merged-answers.ts';

/** The signs of the kind of a file, before it is read. */
export interface KindEvidence {
  format: Format;
  /** Whether the table has this header. True for formats without columns. */
  hasHeader: (header: readonly string[]) => boolean;
  /** The header that the reader finds without kept answers. */
  header: () => readonly string[];
  /** The accounts that a column of the table names, if the layout names none. */
  accountsIn: (header: readonly string[]) => readonly string[];
}

export interface ResultWithKept<Read> {
  read: Read;
  options: ImportOptions;
  accounts: readonly string[];
  keptFrom?: string;
}

const ROWS_SHOWN = 5;

/** The headers of tables that have kept answers. */
export const keptHeaders = ({ rules = '' }: ImportOptions, format: Format): (readonly string[])[] =>
  keptAnswersOf(rules).flatMap((kept) => (kept.format === format ? [kept.header] : []));

/**
 * Reads the file with the kept answers of its kind, where the options do not choose. An unnamed account is a kind of its own. The attempts:
 *
 * 1. With each kept choice for the header of the file, unless the options name a bank: the first one for the accounts of the file counts.
 * 2. With fewer of these answers, one kind left out each time. A payment that the file shows by itself must be as chosen.
 * 3. Without kept answers, if none is for the file.
 *
 * @throws ImportError, also if the file contradicts the kept answers, or has another header than they are for
 */
export function readWithKept<Read extends ParsedFile>(
  { format, ...file }: KindEvidence,
  options: ImportOptions,
  read: (options: ImportOptions) => Read,
): ResultWithKept<Read> {
  const kept = keptAnswersOf(options.rules ?? '').filter((each) => each.format === format);
  const label = accountName(options.accountLabel ?? '');
  const accountsOf = ({ result, error }: Attempt<Read>, header: readonly string[]) => {
    if (label !== '') return [label];
    const named = (result ? accountsOfRows(result) : (error?.accounts ?? [])).map(accountName);
    return named.some((name) => name !== '') ? named : file.accountsIn(header).map(accountName);
  };
  if (options.bank === undefined) {
    for (const each of kept.filter(({ header }) => file.hasHeader(header))) {
      const merged = withFallback(options, each.answers, each.header);
      const attempt = attemptOf(() => read(merged));
      const accounts = accountsOf(attempt, each.header);
      if (!isFor(each, accounts)) continue;
      const result = resultOrThrow(attempt, `The other columns are as chosen on ${each.date}.`);
      for (const fewer of withoutEach(each.answers)) {
        const free = attemptOf(() => read(withFallback(options, fewer, each.header)));
        if (free.result) requireAgreement(result, free.result, each);
      }
      return { read: result, options: merged, accounts, keptFrom: each.date };
    }
  }
  const attempt = attemptOf(() => read(options));
  const header = file.header();
  const accounts = accountsOf(attempt, header);
  const result = resultOrThrow(
    attempt,
    changedText(
      kept.filter((each) => isFor(each, accounts)),
      header,
    ),
  );
  return { read: result, options, accounts };
}

interface Attempt<Read> {
  result?: Read;
  error?: ImportError;
}

function attemptOf<Read>(read: () => Read): Attempt<Read> {
  try {
    return { result: read() };
  } catch (error) {
    if (error instanceof ImportError) return { error };
    throw error;
  }
}

/** @throws ImportError, with the note if it has questions */
function resultOrThrow<Read>({ result, error }: Attempt<Read>, note: string): Read {
  if (result !== undefined) return result;
  if (error?.questions && note !== '') {
    error.message = `${error.message} ${note}`;
    error.keptNote = note;
  }
  throw error;
}

function accountsOfRows({ parsedRows, statements = [] }: ParsedFile): string[] {
  const paid = parsedRows.filter(({ skipReason }) => skipReason === undefined);
  const rows = paid.length > 0 ? paid : parsedRows;
  return [...new Set([...statements, ...rows].map(({ account }) => account))];
}

/** Why the kept answers of the account do not apply: its files had another header. */
function changedText(kept: readonly KeptAnswers[], header: readonly string[]): string {
  const shared = ({ header: before }: KeptAnswers) => before.filter((name) => header.includes(name)).length;
  const [last] = kept.toSorted((one, two) => shared(two) - shared(one));
  const isUnrelated = last && last.accounts.length === 0 && 2 * shared(last) < last.header.length;
  if (!last || header.length === 0 || isUnrelated) return '';
  const [added, removed] = [
    header.filter((name) => !last.header.includes(name)),
    last.header.filter((name) => !header.includes(name)),
  ];
  const changes = [
    ...(added.length > 0 ? [`${namesOfColumns(added)} is new`] : []),
    ...(removed.length > 0 ? [`${namesOfColumns(removed)} is gone`] : []),
  ];
  const change = changes.length > 0 ? changes.join(', ') : 'the columns have another order';
  return `The header has changed since the columns were chosen on ${last.date}: ${change}.`;
}

const namesOfColumns = (names: readonly string[]) => names.map((name) => `"${name.slice(0, 60)}"`).join(', ');

/** @throws ImportError with a question if the file alone settles an amount, a direction or a state in another way */
function requireAgreement(
  { parsedRows }: ParsedFile,
  { parsedRows: free }: ParsedFile,
  { answers, date }: KeptAnswers,
): void {
  const byRow = new Map(free.map((parsed) => [parsed.row, parsed]));
  const pairs = parsedRows.flatMap((chosen) => {
    const found = byRow.get(chosen.row);
    return found && isContradiction(chosen, found) ? [{ chosen, found }] : [];
  });
  const [first] = pairs;
  if (!first) return;
  const rows = pairs.slice(0, ROWS_SHOWN).map(({ chosen }) => chosen.row);
  const { chosen, found } = first;
  const message = `The file contradicts the columns as chosen on ${date}: row ${chosen.row} is ${parsedPaymentText(found)} by the file, and ${parsedPaymentText(chosen)} as chosen.`;
  const error = new ImportError('unresolved_columns', message, 'map');
  error.questions = [{ ...questionOf(answers, first), rows, message }];
  throw error;
}

function isContradiction(chosen: ParsedRow, found: ParsedRow): boolean {
  if (isValidRow(chosen) && isValidRow(found))
    return chosen.type !== found.type || chosen.pence !== found.pence;
  return (
    (isValidRow(chosen) && found.skipReason !== undefined) ||
    (isValidRow(found) && chosen.skipReason !== undefined)
  );
}

const parsedPaymentText = (parsed: ParsedRow): string =>
  isValidRow(parsed) ? `${parsed.type} ${plainPounds(parsed.pence)}` : 'no payment';

function questionOf(
  { map = {}, values = {}, unit }: ColumnAnswers,
  { chosen, found }: { chosen: ParsedRow; found: ParsedRow },
): Pick<Question, 'kind' | 'columns' | 'name' | 'choices'> & { values?: readonly string[] } {
  const name = map.amount ?? map.spent ?? map.moneyIn ?? map.moneyOut ?? '';
  if (isValidRow(chosen) && isValidRow(found) && chosen.type === found.type && unit !== undefined)
    return { kind: 'unit', columns: [], name, choices: UNITS };
  const [column] = Object.entries(values);
  if (column && (name === '' || !isValidRow(chosen) || !isValidRow(found)))
    return {
      kind: 'values',
      columns: [],
      name: column[0],
      values: Object.keys(column[1]),
      choices: [...MEANINGS, 'ignore'],
    };
  return { kind: 'direction', columns: [], name, choices: ['amount', 'spent', 'moneyIn', 'moneyOut'] };
}
