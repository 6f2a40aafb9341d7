/** Reads small files as the reader takes them, with answers to its questions. */
import type { Answer, ImportError, ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { eachColumn, withAnswer } from '../../../../clients/typescript/import/questions/answers.ts';
import { lines, readOpen } from './files.ts';

export type { Answer };

/** The questions of the file, one for each column: empty if it is read. */
export const questionsOf = (text: string, options?: ImportOptions) =>
  readOpen(text, options).then(
    () => [],
    (error: ImportError) => eachColumn(error.questions),
  );

/** `kind column` of each question. */
export const asked = async (text: string, options?: ImportOptions) =>
  (await questionsOf(text, options)).map(({ kind, name, rows }) => [kind, name, ...rows].join(' ').trim());

/** Each answer is that of the first question that is open then. The lines of the entries, and the other rows by their state. */
export async function answered(
  text: string,
  answers: readonly Answer[],
  options: ImportOptions = {},
): Promise<string[]> {
  let all = options;
  for (const answer of answers) {
    const [question] = await questionsOf(text, all);
    if (!question) throw new Error(`nothing is asked, and ${JSON.stringify(answer)} is left`);
    if (typeof answer === 'string' && !question.choices.includes(answer)) throw new Error(question.message);
    all = withAnswer(all, question, answer);
  }
  const result = await readOpen(text, all);
  const invalid = new Set(result.invalid.map(({ row, option }) => `${row} invalid ${option ?? ''}`.trim()));
  return [...lines(result), ...invalid, ...result.skipped.map(({ row }) => `${row} skipped`)].sort(
    (one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10),
  );
}

/** The same without dates: `row ±pence description`. */
export const withoutDates = (rows: readonly string[]) =>
  rows.map((row) => row.replace(/ \d{4}-\d\d-\d\d/, ''));
