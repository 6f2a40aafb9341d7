/**
 * The entries that a file lacks. A file claims all payments of its account between its first and its last day. An entry of that account there
 * that no row is, is gone: the bank does not have it. Where the file names no account, or the entry does not show its own, a person says so:
 * once for each file, or for an entry that resembles a row. On the first and the last day the file may lack payments that came before or after
 * its rows. So it may on further days that the bank names: OFX and CAMT have them. A file of the account also lacks the rows of other files.
 */
import { chainOf } from '../import/chain/chain.ts';
import { readDate } from '../import/values/dates.ts';
import { rowOfPart } from './by-reference.ts';
import type { Compared } from './compared.ts';
import { pairKey } from './decision.ts';
import type { Group } from './matcher.ts';
import { isSameAccount, isUnnamed, mayBeSameAccount, originOf, prefixOf, type StoredRow } from './origin.ts';
import { factsOf, idsOf, isNear } from './payments.ts';
import { compareLikeness, likeness, mayBeEntry } from './questions.ts';
import { DAYS_APART_MAX, type Facts, type ReadFile, type Row, type RowPosition, signed } from './row.ts';
import { sameDescription } from './same-description.ts';
import { dayAfter, daysBetween, type Period, periodFromTo } from './stored-books.ts';

export interface Gone {
  entries: StoredRow;
  /** The file that claims its day. */
  file: string;
  /** The row that it resembles. */
  row?: Row;
  /** It is this row of another file. */
  other?: Row;
  /** The key of the decision about it, if a person can make one. */
  key?: string;
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
  /** The days that the bank names, at most some days before and after these: the file may lack payments of them. */
  asked: Period;
  /** Balances show that the ends lie within their days. */
  isOpen: boolean;
  /** Every row of the file can be read and is decided. */
  isRead: boolean;
  rows: readonly Row[];
}

/**
 * The decision about entries of unknown origin that a file lacks, with `WHOLE_FILE`: `leave`, it is the whole statement; `send`, they are of
 * other lists. With the id of an entry of the first or the last day: `leave`, the entry is wrong; `send`, the file ends within the day.
 */
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
  const silentOf = files.flatMap(silentRows);
  return { silent, gone: [...gone, ...matched.groups.flatMap(contradictedBy)] };

  function goneFrom(claim: Claim, entries: StoredRow, { source }: typeof compared): Gone[] {
    const [{ stored, source: own }] = entries;
    const { file, account, from, to, asked, isOpen, isRead } = claim;
    if (stored.date < (asked.from ?? from) || stored.date > (asked.to ?? to)) return [];
    const isAtEnd = stored.date <= from || stored.date >= to;
    const withPrefix = claim.rows.find((row) => prefixOf(row) !== undefined);
    const isOfThis = originOf(entries, account, { prefix: withPrefix && prefixOf(withPrefix) }) === 'this';
    if (!isOfThis) {
      const second = secondRecordOf(claim.rows, entries, [stored.id]);
      if (second) return [{ entries, file, ...second }];
      const ids = new Set([source?.id, ...claim.rows.flatMap(({ sourceIds }) => sourceIds)]);
      const hasIds = claim.rows.some((row) => !row.isReferenceDerived);
      const isOfAccount = () => isUnnamed(entries, hasIds) || hasOtherName(claim);
      const isPossible = account === '' ? stored.externalRef !== null : isOfAccount();
      // Rules put rows into any source.
      const isOfSources = ids.has(own.id) || claim.rows.some(({ isSourceChosen }) => isSourceChosen);
      if (!isOfSources || !isPossible) return [];
    }
    if (isAtEnd && isOpen) return [];
    const statement = wholeFileKey(fileOf(file));
    const ofFile = pairKey(statement, WHOLE_FILE);
    const answer = isOfThis ? 'leave' : decisions.get(ofFile);
    if (answer !== 'leave')
      return answer === 'send' ? [] : [{ entries, file, key: ofFile, isCertain: false }];
    if (!isAtEnd) return [{ entries, file, isCertain: isRead }];
    const key = pairKey(statement, stored.id);
    const ofEntry = decisions.get(key);
    return ofEntry === 'send' ? [] : [{ entries, file, key, isCertain: isRead && ofEntry === 'leave' }];
  }

  /** Whether rows of the file are stored under another name of the account: a person has said so. */
  function hasOtherName({ account, rows: own }: Claim): boolean {
    const isStoredOtherwise = (row: Row, entries: StoredRow) =>
      own.includes(row) &&
      rowOfPart(entries[0].stored.externalRef ?? row.reference) !== row.reference &&
      originOf(entries, account, { prefix: prefixOf(row), row }) !== 'this' &&
      !isUnnamed(entries, true);
    return matched.groups.some(
      ({ verdict, rows: [row], stored: [entries] }) =>
        verdict === 'same' && row && entries && isStoredOtherwise(row, entries),
    );
  }

  /** The row that entries are perhaps a second record of: the most alike one. @param ids by which decisions name the entries */
  function secondRecordOf(rows: readonly Row[], entries: StoredRow, ids: readonly string[]) {
    const facts = factsOf(entries);
    const found = rows.flatMap((row) => {
      if (!isNear(row, facts) || !mayBeEntry(row, entries)) return [];
      const answer = ids.map((id) => decisions.get(pairKey(row, id))).find((each) => each !== undefined);
      const away = likeness(row, facts);
      return answer === 'send' ? [] : [{ row, isCertain: answer === 'leave', away }];
    });
    const [best] = found.sort(
      (a, b) => Number(b.isCertain) - Number(a.isCertain) || compareLikeness(a.away, b.away),
    );
    return best && { row: best.row, key: pairKey(best.row, entries[0].stored.id), isCertain: best.isCertain };
  }

  /**
   * The entries of rows that another file lacks between its first and its last day. Where a file names no account, they are perhaps second
   * records of rows of the later file.
   */
  function contradictedBy({ verdict, rows: own, stored: [entries] }: Group): Gone[] {
    const [other] = own;
    if (verdict !== 'same' || !entries || !other) return [];
    const isLacking = ({ file, account, from, to, isRead }: Claim) =>
      isRead &&
      mayBeSameAccount(account, other.account) &&
      own.every((row) => row.file !== file && from < row.date && row.date < to) &&
      !silentOf.some((each) => each.file === file && each.text === other.text && isNear(each, other));
    const isNamed = ({ account }: Claim) => isSameAccount(account, other.account);
    const lacking = claims.filter(isLacking);
    const named = lacking.find(isNamed);
    if (named) return [{ entries, file: named.file, other, isCertain: false }];
    const before = claims.findLastIndex(({ file }) => own.some((row) => row.file === file));
    return lacking
      .flatMap((claim): Gone[] => {
        const ids = idsOf({ rows: own, stored: entries });
        const second = claims.indexOf(claim) > before && secondRecordOf(claim.rows, entries, ids);
        return second ? [{ entries, file: claim.file, ...second }] : [];
      })
      .slice(0, 1);
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
    const [before, after] = [dayAfter(from, -DAYS_APART_MAX), dayAfter(to, DAYS_APART_MAX)];
    const near = (date = from) => ({ date: [before, date, after].sort()[1] ?? date });
    const asked = periodFromTo([...each.rows, near(each.from), near(each.to)]);
    const numbers = new Set(each.rows.map(({ row }) => row));
    const own = rows.filter((row) => row.file === file && numbers.has(row.row));
    const { state } = chainOf(each);
    const isRead = statement.invalid.length === 0;
    return {
      ...{ file, account: each.account, from, to, asked, rows: own, isRead },
      isOpen: state === 'holds',
    };
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
