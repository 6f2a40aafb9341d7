/** The lines of a file of decisions: about rows that the books probably have, rows that no rule decides, and whole files and days. */

import { csvOf, ownTable } from '../../typescript/export/csv.ts';
import { withoutFormula } from '../../typescript/export/export-rows.ts';
import { OwnFileError } from '../../typescript/export/own-file-error.ts';
import { exactText } from '../../typescript/import/files/cells.ts';
import type { RowCorrection } from '../../typescript/import/questions-and-answers.ts';
import type { ImportResult, RowWithoutSource } from '../../typescript/import/result.ts';
import { readAction } from '../../typescript/import/rules/action.ts';
import type { ComparedFiles } from '../../typescript/match/compare.ts';
import {
  type Decisions,
  type DecisionWord,
  decisionOf,
  pairKey,
  pairKeyOfIds,
  recordIdOf,
} from '../../typescript/match/decision.ts';
import { descriptionKey, signed, signedSum } from '../../typescript/match/payment-facts.ts';
import type { FileResult, Row } from '../../typescript/match/row.ts';
import type { StoredRow } from '../../typescript/match/stored-row.ts';
import { plainPounds } from '../../typescript/pounds.ts';
import { WHOLE_FILE, wholeFileKey } from '../../typescript/reconciliation/coverage.ts';
import type { GoneRow } from '../../typescript/reconciliation/gone.ts';

/** For rows that no rule decides: the deciding correction, by `pairKey` without an id. */
export type RowAssignments = ReadonlyMap<string, RowCorrection>;

export const NO_ASSIGNMENTS: RowAssignments = new Map();

const COLUMNS = [
  'decision',
  'file',
  'row',
  'date',
  'amount',
  'description',
  'entryDate',
  'entryAmount',
  'entryDescription',
  'rowId',
  'id',
] as const;

type DecisionRow = Record<(typeof COLUMNS)[number], string>;

/** A row without a decision. */
const EMPTY_ROW = Object.fromEntries(COLUMNS.map((column) => [column, ''])) as DecisionRow;

/** The rows of a file of decisions, as `decisionsCsv` writes them. @throws OwnFileError */
export function decisionRows(csv: string): DecisionRow[] {
  const table = ownTable(csv, COLUMNS);
  if ('missing' in table)
    throw new OwnFileError(`is no file of decisions: it has no column ${table.missing}`);
  if ('damagedLine' in table) throw new OwnFileError(`is damaged in row ${table.damagedLine}`);
  return table.records.map(({ line, texts: raw }) => {
    const texts = Object.fromEntries(
      COLUMNS.map((column) => [column, exactText(raw[column])]),
    ) as DecisionRow;
    if (!isRowId(texts.rowId)) {
      throw new OwnFileError(`has no row id in row ${line}: delete the row, and the command writes it again`);
    }
    const text = texts.decision.trim();
    const problem = (advice: string) =>
      new OwnFileError(`has the decision "${text}" in row ${line}: write ${advice}`);
    if (texts.id === '') {
      if (text !== '' && assignmentOf(text) === undefined) throw problem(ASSIGNMENTS);
      return { ...texts, decision: text };
    }
    const decision = text.toLowerCase();
    if (!['', 'send', 'leave'].includes(decision)) throw problem('send or leave');
    return { ...texts, decision };
  });
}

/** The decisions about pairs, and about whole files and days, in the rows of a file of decisions. */
export function decisionsOf(rows: readonly DecisionRow[]): Decisions {
  return new Map(
    rows.flatMap((each) =>
      each.decision === '' || each.id === ''
        ? []
        : [[lineKey(each), decisionOf(lineKey(each), each.decision as DecisionWord)]],
    ),
  );
}

/** The ids alone say what a line is about: a spreadsheet may save the date, the amount and the texts in its own way. */
const lineKey = ({ rowId, id }: DecisionRow): string => pairKeyOfIds(rowId, id);

function isRowId(text: string): boolean {
  try {
    const key = decodeURIComponent(text.slice('row:'.length));
    return key !== '' && text === `row:${encodeURIComponent(key)}`;
  } catch {
    return false;
  }
}

/** The possible assignments: decisions of a rule, for a single row. */
export const ASSIGNMENTS = 'a source, SOURCE / CATEGORY, or leave out. A split or a refund needs a rule';

function assignmentOf(text: string): RowCorrection | undefined {
  const decision = readAction(text);
  if ('problem' in decision) return undefined;
  if (decision.kind === 'leave out') return { isLeftOut: true };
  // The source is checked when the row is read.
  if (decision.kind === 'name' && !/^(?:send|leave)$/i.test(decision.name)) return { source: decision.name };
  if (decision.kind !== 'entry' || decision.isRefund) return undefined;
  return { source: decision.source, category: decision.category };
}

/** The assignments of rows that no rule decides, in the rows of a file of decisions. */
export function assignmentsOf(rows: readonly DecisionRow[]): RowAssignments {
  return new Map(
    rows.flatMap((each) => {
      const assignment = each.id === '' ? assignmentOf(each.decision) : undefined;
      return each.decision === '' || assignment === undefined ? [] : [[lineKey(each), assignment]];
    }),
  );
}

/** The corrections that the assignments make to the rows of a file. */
export const correctionsByAssignments = (
  { withoutSource }: ImportResult,
  assignments: RowAssignments,
): Map<number, RowCorrection> =>
  new Map(
    withoutSource.flatMap((each) => {
      const assignment = assignments.get(pairKey(factsOf(each), ''));
      return assignment === undefined ? [] : [[each.row, assignment]];
    }),
  );

/** A row in the file of decisions for each row of a file that no rule decides. */
export const withoutSourceRows = (file: string, { withoutSource }: ImportResult): DecisionRow[] =>
  withoutSource.map((each) => ({
    ...EMPTY_ROW,
    file,
    row: String(each.row),
    date: each.date,
    amount: plainPounds(signed(each)),
    description: each.description,
    rowId: recordIdOf(factsOf(each)),
  }));

const factsOf = (each: RowWithoutSource) => ({
  reference: each.rowReference,
  date: each.date,
  pence: signed(each),
  text: descriptionKey(each.description),
});

/** A row in the file of decisions for each pair of a question. */
export function pairRows({ matched }: Pick<ComparedFiles, 'matched'>): DecisionRow[] {
  return matched.questions.flat().map(({ row, storedRow }) => pairRow(row, storedRow));
}

/** The same for gone entries: for one that resembles a row, or is of an end of the file, and one for all others of a file. */
export function goneRows(gone: readonly GoneRow[], files: readonly FileResult[]): DecisionRow[] {
  const questions = gone.filter(({ isCertain, key }) => !isCertain && key !== undefined);
  const rowsOfPairs = questions.flatMap(({ pair }) => (pair ? [pairRow(pair.row, pair.storedRow)] : []));
  const rowsOfFiles = files.flatMap((file) => {
    const wholeFile = wholeFileKey(file);
    const line = ({ storedRow }: GoneRow, description: string, id: string): DecisionRow => ({
      ...EMPTY_ROW,
      ...entryCells(storedRow),
      file: file.name,
      description,
      rowId: recordIdOf(wholeFile),
      id,
    });
    const lacking = questions.filter((each) => !each.row && each.file === file.name);
    const key = pairKey(wholeFile, WHOLE_FILE);
    const [first, ...others] = lacking.filter((each) => each.key === key);
    const all = `Does the file have all payments of its account? It lacks ${others.length + 1} of the books.`;
    return [
      ...(first ? [line(first, all, WHOLE_FILE)] : []),
      ...lacking
        .filter((each) => each.key !== key)
        .map((each) =>
          line(each, 'Does the file have all payments of this day?', each.storedRow[0].stored.id),
        ),
    ];
  });
  return [...rowsOfPairs, ...rowsOfFiles];
}

function pairRow(row: Row, storedRow: StoredRow): DecisionRow {
  return {
    ...EMPTY_ROW,
    ...entryCells(storedRow),
    file: row.file,
    row: String(row.row),
    date: row.date,
    amount: plainPounds(row.pence),
    description: row.parts[0]?.entry.description ?? '',
    rowId: recordIdOf(row),
    id: storedRow[0].stored.id,
  };
}

const entryCells = (storedRow: StoredRow) => ({
  entryDate: storedRow[0].stored.date,
  entryAmount: plainPounds(signedSum(storedRow.map(({ stored }) => stored))),
  entryDescription: storedRow[0].stored.description ?? '',
});

/** Without it, Excel takes UTF-8 for the code page of the system. */
const BYTE_ORDER_MARK = '\ufeff';

/** The file of decisions, with new rows added. */
export function decisionsCsv(rows: readonly DecisionRow[], more: readonly DecisionRow[]): string {
  const keys = new Set(rows.map(lineKey));
  const added = more.filter((each) => !keys.has(lineKey(each)));
  const cells = [...rows, ...added].map((row) => COLUMNS.map((column) => withoutFormula(row[column])));
  return BYTE_ORDER_MARK + csvOf([COLUMNS, ...cells]);
}
