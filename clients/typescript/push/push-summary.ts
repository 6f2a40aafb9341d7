/** The summary of files before they are sent: sums by source and category, the new ones apart, refunds, and rows by rule. */

import type { Total } from '../export/totals.ts';
import { groupBy } from '../group-by.ts';
import type { EntryType } from '../import/options.ts';
import type { ImportEntry, RuleUse } from '../import/result.ts';
import { type ComparedEntry, isNew } from '../match/compared-entry.ts';
import type { FileResult } from '../match/row.ts';

/** A sum of entries, and the sum of the new entries among them: undefined if the books were not read. */
export interface PushSum extends Total {
  new: Total | undefined;
}

/** The entries of one source and one category. */
export interface CategorySum extends PushSum {
  /** The name of the source. */
  source: string;
  type: EntryType;
  /** A key; null for the review queue. */
  category: string | null;
}

/** Entries of one description that a rule sets against a category. */
export interface RefundSum extends CategorySum {
  description: string;
  /** The key of the category that they are set against. */
  refundOf: string;
}

/** The sums of a push, for a person to check before anything is sent. */
export interface PushSummary {
  /** By source, type and category. */
  categories: CategorySum[];
  refunds: RefundSum[];
  /** Over all files, in the order of the rules. */
  rules: RuleUse[];
}

interface Summarised {
  files: readonly FileResult[];
  /** Compared, if the books were read. */
  entries: readonly (ImportEntry | ComparedEntry)[];
  /** The source of entries without a source of their own. */
  source: { name: string } | undefined;
}

/** Sums entries up by source and category, and rules over all files. Amounts are pence. */
export function pushSummary({ files, entries, source }: Summarised): PushSummary {
  const rows = entries.map((entry) => {
    const { type, category = null, description = '' } = entry.entry;
    return {
      entry,
      type,
      category,
      description,
      source: entry.source?.name ?? source?.name ?? '',
      isNew: 'matchStatus' in entry ? isNew(entry) : undefined,
    };
  });
  const refunds = rows.flatMap((row) => {
    const { refundOf } = row.entry;
    return refundOf === undefined ? [] : { ...row, refundOf };
  });
  return {
    categories: sumsBy(rows, ({ source, type, category }) => ({ source, type, category })),
    refunds: sumsBy(refunds, ({ source, type, category, description, refundOf }) => ({
      source,
      type,
      category,
      description,
      refundOf,
    })),
    rules: usesOf(files),
  };
}

/** The sums of each group, in the order of its fields, income first. */
function sumsBy<
  Row extends { entry: ImportEntry; isNew: boolean | undefined },
  Key extends { source: string; type: string },
>(rows: readonly Row[], groupOf: (row: Row) => Key): (Key & PushSum)[] {
  const orderOf = ({ source, type, ...others }: Key) =>
    JSON.stringify([source, type === 'income' ? 1 : 2, ...Object.values(others)]);
  const groups = [...groupBy(rows, (row) => orderOf(groupOf(row)))];
  return groups
    .sort(([one], [two]) => (one < two ? -1 : 1))
    .map(([, group]) => ({
      ...groupOf(group[0] as Row),
      ...totalOfRows(group),
      new: group.every(({ isNew }) => isNew === undefined)
        ? undefined
        : totalOfRows(group.filter(({ isNew }) => isNew)),
    }));
}

const totalOfRows = (rows: readonly { entry: ImportEntry }[]): Total => ({
  count: rows.length,
  pence: rows.reduce((sum, { entry }) => sum + BigInt(entry.entry.amountPence), 0n),
});

const rowsOf = (uses: readonly { rows: number }[]): number => uses.reduce((sum, { rows }) => sum + rows, 0);

/** The files have been read by the same rules. */
function usesOf(files: readonly FileResult[]): RuleUse[] {
  const byLine = groupBy(
    files.flatMap(({ result }) => result.rules),
    ({ line }) => line,
  );
  return [...byLine.values()].map((uses) => {
    const use = uses[0] as RuleUse;
    const rows = rowsOf(uses);
    const others = groupBy(
      uses.flatMap(({ shadowedBy }) => (rows > 0 ? [] : shadowedBy)),
      (other) => other.line,
    );
    const shadowedBy = [...others]
      .map(([line, rules]) => ({ line, rows: rowsOf(rules) }))
      .sort((one, two) => one.line - two.line);
    return { ...use, rows, shadowedBy };
  });
}
