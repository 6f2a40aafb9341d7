/**
 * The entries that a file lacks. A file claims all payments of its account between its first and its last day. An entry of that account there
 * that no row is, is gone: the bank does not have it. Where the file names no account, or the entry does not show its own, a person says so:
 * once for each file, or for an entry that resembles a row. On the first and the last day the file may lack payments that came before or after
 * its rows. So it may on further days that the bank names: OFX and CAMT have them. A file of the account also lacks the rows of other files.
 */
import { chainOf } from '../import/chain/chain.ts';
import { rowOfPart } from './by-reference.ts';
import type { Compared } from './compared.ts';
import { type Decision, pairKey, rowId } from './decision.ts';
import type { Group } from './matcher.ts';
import { isSameAccount, isUnnamed, mayBeSameAccount, originOf, prefixOf, type StoredRow } from './origin.ts';
import { factsOf, idsOf, isNear } from './payments.ts';
import { compareLikeness, likeness, mayBeEntry, type Pair, recordsOf } from './questions.ts';
import { DAYS_APART_MAX, type ReadFile, type Row } from './row.ts';
import { type Silent, silentIn, silentRows } from './silent.ts';
import { dayAfter, type Period, periodFromTo } from './stored-books.ts';

export interface Gone {
  entries: StoredRow;
  /** The file that claims its day. */
  file: string;
  /** The row that it resembles. */
  row?: Row;
  /** It is this row of another file. */
  other?: Row;
  /** The pair to ask about, if it resembles a row. */
  pair?: Pair;
  /** The key of the decision about it, if a person can make one. */
  key?: string;
  /** The reference shows the account, or a person has said that the file is the whole statement. */
  isCertain: boolean;
}

interface Unmatched {
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
 * The key of decisions about the coverage of a file. With `WHOLE_FILE`: about all entries of unknown origin that it lacks. With the id of an
 * entry of its first or its last day: about that day.
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
  const paymentOf = new Map(
    matched.groups
      .filter(({ verdict }) => verdict !== 'question')
      .flatMap((group) => group.rows.map((row) => [row, group] as const)),
  );
  return { silent, gone: [...gone, ...contradictedIn(matched.groups)] };

  function goneFrom(claim: Claim, entries: StoredRow, { source }: typeof compared): Gone[] {
    const [{ stored, source: own }] = entries;
    const { file, account, from, to, asked, isOpen, isRead } = claim;
    if (stored.date < (asked.from ?? from) || stored.date > (asked.to ?? to)) return [];
    const isAtEnd = stored.date <= from || stored.date >= to;
    const withPrefix = claim.rows.find((row) => prefixOf(row) !== undefined);
    const isOfThis = originOf(entries, account, { prefix: withPrefix && prefixOf(withPrefix) }) === 'this';
    if (!isOfThis) {
      const [second] = alikeIn(claim.rows, entries, (row) => decisions.get(pairKey(row, stored.id)));
      if (second) return [asSecond(entries, second, { row: second.row, records: entries })];
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
    const coverage = isOfThis ? 'complete' : decisions.get(ofFile);
    if (coverage !== 'complete')
      return coverage === 'incomplete' ? [] : [{ entries, file, key: ofFile, isCertain: false }];
    if (!isAtEnd) return [{ entries, file, isCertain: isRead }];
    const key = pairKey(statement, stored.id);
    const ofDay = decisions.get(key);
    return ofDay === 'incomplete' ? [] : [{ entries, file, key, isCertain: isRead && ofDay === 'complete' }];
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

  /** The rows that entries are perhaps a second record of, by the answers so far: the most alike one first. */
  function alikeIn(
    rows: readonly Row[],
    entries: StoredRow,
    answerTo: (row: Row) => Decision | undefined,
  ): Alike[] {
    const facts = factsOf(entries);
    return rows
      .filter((row) => isNear(row, facts) && mayBeEntry(row, entries) && answerTo(row) !== 'separate')
      .map((row) => ({ row, isCertain: answerTo(row) === 'same', away: likeness(row, facts) }))
      .sort((a, b) => Number(b.isCertain) - Number(a.isCertain) || compareLikeness(a.away, b.away));
  }

  function asSecond(entries: StoredRow, { row, isCertain }: Alike, pair: Pair): Gone {
    const key = pairKey(pair.row, pair.records[0].stored.id);
    return { entries, file: row.file, row, pair, key, isCertain };
  }

  /**
   * The entries of rows that another file lacks between its first and its last day. Where a file names no account, they are perhaps second
   * records of payments of the later file, each of another one. If all payments that they resemble have a row of their file too, the files
   * contradict each other.
   */
  function contradictedIn(groups: readonly Group[]): Gone[] {
    /** A payment has at most one second record. */
    const used = new Set<Group>();
    const found = groups.flatMap(({ verdict, rows: own, stored: [entries] }) => {
      const [other] = own;
      if (verdict !== 'same' || !entries || !other) return [];
      const lacking = lackingOf(own, other);
      const contradicted = { own, other, entries };
      const named = lacking.find(({ account }) => isSameAccount(account, other.account));
      if (named) return { ...contradicted, file: named.file, alike: [] };
      const before = claims.findLastIndex(({ file }) => own.some((row) => row.file === file));
      const later = lacking.filter((claim) => claims.indexOf(claim) > before);
      const alike = later.flatMap(({ rows }) => alikeIn(rows, entries, answerFrom(contradicted)));
      const [first] = alike;
      return first ? { ...contradicted, file: first.row.file, alike } : [];
    });
    const isAnswered = ({ alike }: (typeof found)[number]) => alike.some(({ isCertain }) => isCertain);
    found.sort((a, b) => Number(isAnswered(b)) - Number(isAnswered(a)));
    return found.map(({ own, other, entries, file, alike }): Gone => {
      const possible = alike.filter(({ row }) => {
        const payment = paymentOf.get(row);
        // Two rows of one file are two payments.
        const isOther = payment?.rows.some((each) => own.some((row) => row.file === each.file));
        return !payment || !(isOther || used.has(payment));
      });
      const second = possible.find(({ isCertain }) => isCertain) ?? possible[0];
      if (!second) return { entries, file, other, isCertain: false };
      const { row } = second;
      const payment = paymentOf.get(row);
      if (payment) used.add(payment);
      // The answer also holds for a push after the removal, because it is about two rows.
      const isStored = payment?.verdict === 'same';
      const pair = isStored ? { row: other, records: recordsOf(row) } : { row, records: entries };
      return asSecond(entries, second, pair);
    });
  }

  function lackingOf(own: readonly Row[], other: Row): Claim[] {
    return claims.filter(
      ({ file, account, from, to, isRead }) =>
        isRead &&
        mayBeSameAccount(account, other.account) &&
        own.every((row) => row.file !== file && from < row.date && row.date < to) &&
        !silentOf.some((each) => each.file === file && each.text === other.text && isNear(each, other)),
    );
  }

  /** The answers about the row of entries and a row of another file. An answer about the entries ends with them, so it removes nothing. */
  function answerFrom({ own, other, entries }: { own: readonly Row[]; other: Row; entries: StoredRow }) {
    return (row: Row): Decision | undefined => {
      const { rows = [row], stored: [stored] = [] } = paymentOf.get(row) ?? {};
      const keys = [...idsOf({ rows, stored }).map((id) => pairKey(other, id)), pairKey(row, rowId(other))];
      const answer = keys.map((key) => decisions.get(key)).find((each) => each !== undefined);
      const ofEntries = idsOf({ rows: own, stored: entries }).map((id) => decisions.get(pairKey(row, id)));
      return answer ?? ofEntries.find((each) => each === 'separate');
    };
  }

  function fileOf(name: string): ReadFile {
    return files.find((file) => file.name === name) as ReadFile;
  }
}

/** A row, and whether a person has said that entries are a second record of it. */
interface Alike {
  row: Row;
  isCertain: boolean;
  away: readonly number[];
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
      file,
      account: each.account,
      from,
      to,
      asked,
      rows: own,
      isRead,
      isOpen: state === 'holds',
    };
  });
}
