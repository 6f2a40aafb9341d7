/** Decisions of people about rows that the books probably have, and about rows that no rule decides. */

import { csvOf, ownTable } from '../export/csv.ts';
import { withoutFormula } from '../export/export-rows.ts';
import { pounds } from '../export/pounds.ts';
import { groupBy } from '../group-by.ts';
import { exactText } from '../import/files/cells.ts';
import type { Correction, ImportResult } from '../import/options.ts';
import { readDecision } from '../import/plan/decision.ts';
import { type Gone, WHOLE_FILE, wholeFileKey } from '../match/claims.ts';
import type { Compared } from '../match/compared.ts';
import type { Decision, Decisions } from '../match/decision.ts';
import type { StoredRow } from '../match/origin.ts';
import { type ReadFile, type Row, signed, sumOf } from '../match/row.ts';

/** For rows that no rule decides: the deciding correction, by the reference of the row. */
export type Answers = ReadonlyMap<string, Correction>;

export const NO_ANSWERS: Answers = new Map();

const COLUMNS = [
  ...(['decision', 'file', 'row', 'date', 'amount', 'description'] as const),
  ...(['entryDate', 'entryAmount', 'entryDescription', 'reference', 'id'] as const),
];

type DecisionRow = Record<(typeof COLUMNS)[number], string>;

/** A file of decisions cannot be read. The message is the reason, as the end of a sentence. */
export class DecisionsError extends Error {
  override readonly name = 'DecisionsError';
}

/** The rows of a file of decisions, as `decisionsCsv` writes them. @throws DecisionsError */
export function decisionRows(csv: string): DecisionRow[] {
  const table = ownTable(csv, COLUMNS);
  if ('missing' in table)
    throw new DecisionsError(`is no file of decisions: it has no column ${table.missing}`);
  if ('damagedLine' in table) throw new DecisionsError(`is damaged in row ${table.damagedLine}`);
  return table.records.map(({ line, texts: raw }) => {
    const texts = Object.fromEntries(COLUMNS.map((column) => [column, exactText(raw[column])]));
    const text = (texts.decision ?? '').trim();
    const problem = (advice: string) =>
      new DecisionsError(`has the decision "${text}" in row ${line}: write ${advice}`);
    if (texts.id === '') {
      if (text !== '' && answerOf(text) === undefined) throw problem(ANSWERS);
      return { ...(texts as DecisionRow), decision: text };
    }
    const decision = text.toLowerCase();
    if (!['', 'send', 'leave'].includes(decision)) throw problem('send or leave');
    return { ...(texts as DecisionRow), decision };
  });
}

export function decisionsOf(rows: readonly DecisionRow[]): Decisions {
  return new Map(
    rows.flatMap(({ decision, reference, id }) =>
      decision === '' || id === '' ? [] : [[`${reference} ${id}`, decision as Decision]],
    ),
  );
}

/** The possible answers: decisions of a rule, for a single row. */
export const ANSWERS = 'a source, SOURCE / CATEGORY, or leave out. A split or a refund needs a rule';

function answerOf(text: string): Correction | undefined {
  const decision = readDecision(text);
  if ('problem' in decision) return undefined;
  if (decision.kind === 'leave out') return { isLeftOut: true };
  // The source is checked when the row is read.
  if (decision.kind === 'name' && !/^(?:send|leave)$/i.test(decision.name)) return { source: decision.name };
  if (decision.kind !== 'entry' || decision.isRefund) return undefined;
  return { source: decision.source, category: decision.category };
}

export function answersOf(rows: readonly DecisionRow[]): Answers {
  return new Map(
    rows.flatMap(({ decision, reference, id }) => {
      const answer = id === '' ? answerOf(decision) : undefined;
      return decision === '' || answer === undefined ? [] : [[reference, answer]];
    }),
  );
}

/** The corrections that the answers make to the rows of a file. */
export const answeredRows = ({ undecided }: ImportResult, answers: Answers): Map<number, Correction> =>
  new Map(
    undecided.flatMap(({ row, rowReference }) => {
      const answer = answers.get(rowReference);
      return answer === undefined ? [] : [[row, answer]];
    }),
  );

/** A row in the file of decisions for each row of a statement that no rule decides. */
export function undecidedRows(file: string, { undecided, unread }: ImportResult): DecisionRow[] {
  const texts = new Map(unread.map((each) => [each.row, each]));
  return undecided.map(({ row, rowReference, ...payment }) => {
    const { date = '', description = '' } = texts.get(row) ?? {};
    return {
      ...{ decision: '', file, row: String(row), date, amount: inPounds(signed(payment)), description },
      ...{ entryDate: '', entryAmount: '', entryDescription: '', reference: rowReference, id: '' },
    };
  });
}

/** A row in the file of decisions for each pair of a question. */
export function questionRows({ matched }: Pick<Compared, 'matched'>): DecisionRow[] {
  return matched.groups.flatMap(({ pairs }) => pairs.map(({ row, records }) => pairRow(row, records)));
}

/** The same for entries that no row is: for one that resembles a row, and one for each file that may lack entries of its account. */
export function goneRows(gone: readonly Gone[], files: readonly ReadFile[]): DecisionRow[] {
  const open = gone.filter(({ isCertain }) => !isCertain);
  const ofRows = open.flatMap(({ row, entries }) => (row ? [pairRow(row, entries)] : []));
  const byFile = groupBy(
    open.filter(({ row }) => !row),
    ({ file }) => file,
  );
  const ofFiles = files.flatMap((file) => {
    const [first, ...others] = byFile.get(file.name) ?? [];
    if (!first || file.statement.statements.some(({ account }) => account !== '')) return [];
    const description = `Does the file have all payments of its account? It lacks ${others.length + 1} of the books.`;
    const row = { file: file.name, row: '', date: '', amount: '', description };
    const { reference } = wholeFileKey(file);
    return { decision: '', ...row, ...entryCells(first.entries), reference, id: WHOLE_FILE };
  });
  return [...ofRows, ...ofFiles];
}

function pairRow({ file, row, date, pence, parts, reference }: Row, records: StoredRow): DecisionRow {
  return {
    ...{ decision: '', file, row: String(row), date, amount: inPounds(pence) },
    ...{ description: parts[0]?.entry.description ?? '', ...entryCells(records) },
    ...{ reference, id: records[0].stored.id },
  };
}

const entryCells = (records: StoredRow) => ({
  entryDate: records[0].stored.date,
  entryAmount: inPounds(sumOf(records.map(({ stored }) => stored))),
  entryDescription: records[0].stored.description ?? '',
});

/** The file of decisions, with new rows added. */
export function decisionsCsv(rows: readonly DecisionRow[], more: readonly DecisionRow[]): string {
  const keys = new Set(rows.map(({ reference, id }) => `${reference} ${id}`));
  const added = more.filter(({ reference, id }) => !keys.has(`${reference} ${id}`));
  const cells = [...rows, ...added].map((row) => COLUMNS.map((column) => withoutFormula(row[column])));
  return csvOf([COLUMNS, ...cells]);
}

const inPounds = (pence: number) => pounds(pence).replaceAll(',', '');
