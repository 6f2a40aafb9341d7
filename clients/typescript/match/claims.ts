/**
 * The entries that no row is. A file claims all payments of its account between its first and its last day. An entry of that account there
 * is gone: the bank does not have it. Where the file names no account, or the entry does not show its own, a person says so: once for each
 * file, or for an entry that resembles a row. On the first and the last day the file may lack payments that came before or after its rows.
 */
import { chainOf } from '../balances/chain.ts';
import { readDate } from '../import/values/dates.ts';
import type { Compared } from './compared.ts';
import { pairKey } from './decision.ts';
import { isUnnamed, originOf, prefixOf, type StoredRow } from './origin.ts';
import { factsOf, isNear } from './payments.ts';
import { mayBeEntry } from './questions.ts';
import { type Facts, type ReadFile, type Row, type RowPosition, signed } from './row.ts';
import { sameDescription } from './same-description.ts';
import { daysBetween } from './stored-books.ts';

export interface Gone {
  entries: StoredRow;
  /** The file that claims its day. */
  file: string;
  /** The row that it resembles. */
  row?: Row;
  /** The reference shows the account, or a person has said that the file is the whole statement. */
  isCertain: boolean;
}

/** A row that makes no entry, with the entries of its day that have its description. */
export interface Silent {
  row: SilentRow;
  entries: StoredRow;
}

interface SilentRow extends RowPosition, Facts {
  /** A rule, a person, or the content leaves it out. */
  by: 'rule' | 'hand' | 'content';
  reference: string;
}

export interface Unmatched {
  gone: readonly Gone[];
  silent: readonly Silent[];
}

interface Claim {
  file: string;
  account: string;
  from: string;
  to: string;
  /** Balances show that the ends lie within their days. */
  isOpen: boolean;
  /** Every row of the file can be read and is decided. */
  isRead: boolean;
  rows: readonly Row[];
}

/** The decision about the entries that a file without an account lacks: `leave`, it is the whole statement; `send`, they are of other lists. */
export const wholeFileKey = ({ name, statement: { entries } }: ReadFile): { reference: string } => {
  const references = entries.map(({ entry, rowReference = entry.externalRef }) => rowReference);
  const ends = [references[0] ?? name, references.at(-1) ?? '', String(references.length)];
  return { reference: `file:${ends.map(encodeURIComponent).join(':')}` };
};
export const WHOLE_FILE = 'entries';

export function unmatchedIn(
  compared: Pick<Compared, 'files' | 'rows' | 'matched' | 'decisions' | 'source'>,
): Unmatched {
  const { files, rows, matched, decisions } = compared;
  const silent = silentIn(files, matched.leftOver, compared.decisions);
  const isSilent = new Set(silent.map(({ entries }) => entries));
  const claims = files.flatMap((file) => claimsOf(file, rows));
  const gone = matched.leftOver.flatMap((entries): Gone[] => {
    if (isSilent.has(entries)) return [];
    const found = claims.flatMap((claim) => goneFrom(claim, entries, compared));
    const [first] = [...found.filter(({ isCertain }) => isCertain), ...found];
    return first ? [first] : [];
  });
  return { silent, gone };

  function goneFrom(claim: Claim, entries: StoredRow, { source }: typeof compared): Gone[] {
    const { date } = entries[0].stored;
    const { file, account, from, to, isOpen, isRead } = claim;
    const isAtEnd = date === from || date === to;
    if (date < from || date > to) return [];
    const own = claim.rows.find((row) => prefixOf(row) !== undefined);
    if (originOf(entries, account, { prefix: own && prefixOf(own) }) === 'this')
      return isAtEnd && isOpen ? [] : [{ entries, file, isCertain: isRead && !isAtEnd }];
    const row = claim.rows.find((each) => isNear(each, factsOf(entries)) && mayBeEntry(each, entries));
    if (row && decisions.get(pairKey(row, entries[0].stored.id)) !== 'send')
      return [{ entries, file, row, isCertain: false }];
    const ids = new Set([source?.id, ...claim.rows.flatMap(({ sourceIds }) => sourceIds)]);
    const isOfFile = account === '' && ids.has(entries[0].source.id) && isUnnamed(entries);
    if (!isOfFile || (isAtEnd && isOpen)) return [];
    const answer = decisions.get(pairKey(wholeFileKey(fileOf(file)), WHOLE_FILE));
    return answer === 'send' ? [] : [{ entries, file, isCertain: answer === 'leave' && isRead && !isAtEnd }];
  }

  function fileOf(name: string): ReadFile {
    return files.find((file) => file.name === name) as ReadFile;
  }
}

function claimsOf({ name: file, statement }: ReadFile, rows: readonly Row[]): Claim[] {
  return statement.statements.flatMap((each) => {
    const days = each.rows.map(({ date }) => date).sort();
    const [from, to] = [days[0], days.at(-1)];
    if (from === undefined || to === undefined) return [];
    const numbers = new Set(each.rows.map(({ row }) => row));
    const own = rows.filter((row) => row.file === file && numbers.has(row.row));
    const { state } = chainOf(each);
    const isRead = statement.invalid.length === 0;
    return { ...{ file, account: each.account, from, to, rows: own, isRead }, isOpen: state === 'holds' };
  });
}

/** Rows that are left out or skipped, and the entries that they resemble: the row, the rules or the books have changed since the push. */
function silentIn(
  files: readonly ReadFile[],
  leftOver: readonly StoredRow[],
  decisions: Compared['decisions'],
): Silent[] {
  const rows = files.flatMap(silentRows).filter(({ text }) => text !== '');
  const taken = new Set<SilentRow>();
  return leftOver.flatMap((entries): Silent[] => {
    const { date, pence, text } = factsOf(entries);
    const isLike = (row: SilentRow) =>
      row.text === text &&
      (row.date === date || (row.by === 'rule' && isNear(row, { date, pence, text }))) &&
      decisions.get(pairKey(row, entries[0].stored.id)) !== 'send';
    const away = (row: SilentRow) => daysBetween(row.date, date) || Math.abs(row.pence - pence) / 1e9;
    const [nearest] = rows
      .filter((row) => !taken.has(row) && isLike(row))
      .sort((one, two) => away(one) - away(two));
    if (!nearest) return [];
    taken.add(nearest);
    return [{ row: nearest, entries }];
  });
}

function silentRows({ name: file, statement }: ReadFile): SilentRow[] {
  const { leftOut, skipped, unread, statements, entries, recognised } = statement;
  const withEntries = new Set(entries.map(({ row }) => row));
  const left = leftOut
    .filter(({ row, part }) => part === undefined && !withEntries.has(row))
    .map(
      ({ row, rule, date, description, rowReference = '', ...amount }): SilentRow => ({
        ...{ file, row, date, pence: signed(amount), text: sameDescription(description) },
        ...{ by: rule === undefined ? 'hand' : 'rule', reference: rowReference },
      }),
    );
  const known = new Set(left.map(({ row }) => row));
  const payments = new Map(statements.flatMap(({ rows }) => rows.map((row) => [row.row, row] as const)));
  const texts = new Map(unread.map((each) => [each.row, each]));
  const others = skipped.flatMap(({ row, isByHand }): SilentRow[] => {
    const { date: text = '', description = '' } = texts.get(row) ?? {};
    const { date = readDate(text, recognised.dateFormat ?? 'dmy'), pence = 0 } = payments.get(row) ?? {};
    if (known.has(row) || date === undefined) return [];
    const by = isByHand ? 'hand' : 'content';
    return [{ file, row, date, pence, text: sameDescription(description), by, reference: '' }];
  });
  return [...left, ...others];
}
