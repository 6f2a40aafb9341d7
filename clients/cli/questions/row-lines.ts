/** Terminal lines about the answers for a file: the kept ones of its columns, and the questions about single rows. */
import type { ImportResult, Meaning } from '../../typescript/import/index.ts';
import { OPEN_ANSWER } from '../../typescript/import/questions/answers.ts';
import { answersText } from '../../typescript/import/rules/answers-text.ts';
import { shellText } from '../output.ts';
import { choiceOptions } from './choice-options.ts';

/** The answers about columns that the rules keep. */
export const keptAnswersLines = ({
  recognised: { keptFrom, answers },
}: Pick<ImportResult, 'recognised'>): string[] =>
  keptFrom === undefined ? [] : [`Columns  as chosen on ${keptFrom}: ${answersText(answers)}`];

/** The option for rows that may be totals, parts or opposites. @param file undefined if the command has one file */
export function rowQuestionLines(
  { invalid }: Pick<ImportResult, 'invalid'>,
  file: string | undefined,
): string[] {
  const rows = new Set(invalid.filter(({ option }) => option === 'rowMeanings').map(({ row }) => row));
  if (rows.size === 0) return [];
  const marks = Object.fromEntries([...rows].map((row) => [row, OPEN_ANSWER as Meaning]));
  const [, option = ''] = choiceOptions({ rowMeanings: marks }, { file, columnOf: (name) => name });
  return [
    `  Put skip (no payment to store) or keep (a payment like the others) in place of each ${OPEN_ANSWER}: --rows ${shellText(option)}`,
  ];
}
