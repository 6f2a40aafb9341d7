/** Lines of text above rows, which may say what these are: questions for a person, unless all rows are proved. */

import { refusalOf } from '../../questions/refusal.ts';
import { MEANINGS, type Question } from '../../questions-and-answers.ts';
import { NAME_OF_FILE, type TextLine, textLines } from '../headings.ts';
import { isUsable } from '../layout.ts';
import type { SettleContext } from './settle-context.ts';

/**
 * The questions about lines without an answer.
 * @returns undefined if the only line is above all rows and says that they are no payments: then nothing else is open
 * @throws ImportError with the question about a line above all rows, which comes before all others
 */
export function headingQuestions(context: SettleContext): Question[] | undefined {
  const { table, layout, titles, options, isKnown } = context;
  const lines = isKnown || context.balance.follows ? [] : textLines(table, layout, titles);
  if (areSkippedLines(lines, context)) return undefined;
  return lines
    .filter(({ row }) => options.rowMeanings?.[row] === undefined)
    .map(({ row, text }) => headingQuestion(row, text));
}

function areSkippedLines(lines: readonly TextLine[], { data, layout, options }: SettleContext): boolean {
  const first = data[0]?.row ?? 0;
  const lineOfAll = lines.find(({ row }) => row < first);
  if (!lineOfAll) return false;
  const meaning = options.rowMeanings?.[lineOfAll.row];
  if (meaning === undefined) throw refusalOf([headingQuestion(lineOfAll.row, lineOfAll.text)]);
  return meaning === 'skip' && lines.length === 1 && isUsable(layout.columns);
}

const HEADINGS_SHOWN = 60;

const headingQuestion = (row: number, text: string): Question => ({
  kind: 'heading',
  columns: [],
  name: '',
  rows: [row],
  message: `${row === NAME_OF_FILE ? 'The name of the file' : `Row ${row}`} is a line of text, "${text.slice(0, HEADINGS_SHOWN).toWellFormed()}": it may say what the rows below it are.`,
  choices: MEANINGS,
});
