/** Messages about rows that may be other records, and the ways to decide about them. */

import { counted } from '../../typescript/counted.ts';
import type { ComparedFiles } from '../../typescript/match/compare.ts';
import type { Pair } from '../../typescript/match/pair.ts';
import { signedSum } from '../../typescript/match/payment-facts.ts';
import { rowName } from '../../typescript/match/row.ts';
import { pounds } from '../../typescript/pounds.ts';
import { excerpt, shortTable } from '../output.ts';

/** For programs: each row that is probably another record, with the id and the content of that record, and its place in another file. */
export function probableOf({ entries }: Pick<ComparedFiles, 'entries'>) {
  return entries.flatMap((entry) => {
    if (!('probably' in entry)) return [];
    const { file, row, part, probably } = entry;
    const { isEarlierVersion, stored, other } = probably;
    const { id, date, description, amountPence } = stored;
    const place = { file, row, ...(part !== undefined && { part }) };
    const otherRow = other && { other: { file: other.file, row: other.row } };
    return [{ ...place, id, date, description, amountPence, isEarlierVersion, ...otherRow }];
  });
}

/** Shows each row beside the records that it may be, question by question. */
export function probableLines({ matched, files }: Pick<ComparedFiles, 'matched' | 'files'>): string[] {
  const { questions } = matched;
  if (questions.length === 0) return [];
  const pairs = questions.flat();
  const isAnyElsewhere = pairs.some(({ row, storedRow }) => !row.sourceIds.includes(storedRow[0].source.id));
  const isNumbered = questions.some(({ length }) => length > 1);
  const lines = questions.flatMap((pairs, index) =>
    pairs.map((pair) => ({
      ...(isNumbered && { question: index + 1 }),
      ...(files.length > 1 && { file: pair.row.file }),
      ...pairCells(pair),
      ...(isAnyElsewhere && { 'stored in': pair.storedRow[0].source.name }),
    })),
  );
  const rows = new Set(pairs.map(({ row }) => row)).size;
  return [
    `${counted(rows, 'row is', 'rows are')} probably known or corrected: another record has the amount or the description, and almost the date.`,
    ...shortTable(lines),
    ...(isNumbered
      ? ['Lines with one number are one question: each row and each record is one payment.']
      : []),
    '',
  ];
}

function pairCells({ row, storedRow, other }: Pair) {
  const [{ stored }] = storedRow;
  return {
    row: row.row,
    amount: pounds(row.pence),
    date: row.date,
    description: excerpt(row.parts[0]?.entry.description ?? ''),
    stored: other ? rowName(other) : stored.date,
    ...(other && { 'stored date': stored.date }),
    'stored amount': pounds(signedSum(storedRow.map((each) => each.stored))),
    'stored description': excerpt(stored.description ?? ''),
  };
}

/** The ways to decide about the rows. */
export function decisionLines(
  { matched }: Pick<ComparedFiles, 'matched'>,
  decide: string | undefined,
): string[] {
  const hasSeveralPairs = matched.questions.some(({ length }) => length > 1);
  return [
    'Nothing was sent. Are these rows the stored entries?',
    ...(decide === undefined
      ? [
          'If all are, add --leave-probable to send the others; rows that may be the same entry stay open. If all are payments of their own, add --send-probable. To decide row by row, add --decide decisions.csv.',
        ]
      : [
          `${decide} has a line for each pair: write leave (the row is that record) or send (it is not), and run the command again.${hasSeveralPairs ? ' After an answer the rest of a question is matched again.' : ''}`,
        ]),
    'A stored entry that is wrong has to be corrected in the app: see `ledger reconcile --corrections`.',
  ];
}
