/** One line of options for all questions about a file, with a mark where a person has to put the answer. */
import {
  type ImportOptions,
  type Meaning,
  type Question,
  withAnswer,
} from '../../typescript/import/index.ts';
import { eachColumn, OPEN_ANSWER } from '../../typescript/import/questions/answers.ts';
import { shellText } from '../output.ts';
import { answerByName, type Table, valuesOf } from './answer-by-name.ts';
import { choiceOptions, type NamedIn } from './choice-options.ts';
import { mayBeParts } from './question-lines.ts';

/** Undefined if one option says as much, or if a column of amounts may be a part of another one. */
export function oneLineOfAll(asked: readonly Question[], table: Table, named: NamedIn): string | undefined {
  if (asked.length < 2) return undefined;
  const questions = eachColumn(asked);
  if (mayBeParts(questions.filter(({ kind }) => kind === 'amount'))) return undefined;
  let options: ImportOptions = {};
  const left: Question[] = [];
  for (const question of questions) {
    const answered = withMark(options, question, questions, table);
    if (answered) options = answered;
    else left.push(question);
  }
  if (left.length > questions.length - 2) return undefined;
  const numbers = asked.flatMap((each, index) =>
    eachColumn([each]).some((one) => left.includes(one)) ? [index + 1] : [],
  );
  const beside = left.length === 0 ? '' : ` beside the answers to ${numbers.join(', ')}`;
  const line = choiceOptions(options, named).map(shellText).join(' ');
  // What names alone say was tried, and did not read the file.
  if (!line.includes(OPEN_ANSWER)) return undefined;
  return `All in one line${beside}, with an answer in place of each ${OPEN_ANSWER}: ${line}`;
}

/** Undefined for a column of amounts or dates that would not be read. What names say about directions did not read the file: it is open. */
function withMark(
  options: ImportOptions,
  question: Question,
  all: readonly Question[],
  table: Table,
): ImportOptions | undefined {
  const { kind, name, columns, values = [] } = question;
  const mark = OPEN_ANSWER as Meaning;
  const byName = answerByName(question, all, table);
  if (kind === 'date') return byName === 'date' ? withAnswer(options, question, byName) : undefined;
  if (kind === 'amount') {
    if (byName === 'check' || byName === 'balance') return withAnswer(options, question, byName);
    if (byName === 'ignore' || isProse(columns, table)) return undefined;
    if (byName === 'amount' || byName === 'unsigned') return withSign(options, name);
    const { amounts = [] } = options;
    return { ...options, amounts: [...amounts, { columns: [name], direction: OPEN_ANSWER as 'in' }] };
  }
  switch (kind) {
    case 'values':
      return withAnswer(
        options,
        question,
        byName ?? Object.fromEntries(values.map((value) => [value, mark])),
      );
    case 'heading':
      return withRows(options, question, mark);
    case 'unit':
      return { ...options, unit: OPEN_ANSWER as 'pence' };
    case 'direction':
      return withSign(options, name);
  }
}

/** Marks the field of the direction. Undefined if another column has the mark: there is one for each field. */
const withSign = ({ map = {}, ...options }: ImportOptions, name: string): ImportOptions | undefined =>
  OPEN_ANSWER in map ? undefined : { ...options, map: Object.assign({ [OPEN_ANSWER]: name }, map) };

/** Whether the column has texts of several words, with an amount in them. */
const isProse = (columns: readonly number[], table: Table): boolean =>
  columns.some((index) => valuesOf(index, table).some((text) => /\p{L}{2,}.*\p{L}{2,}/u.test(text)));

const withRows = (
  { rowMeanings, ...options }: ImportOptions,
  question: Question,
  mark: Meaning,
): ImportOptions => ({
  ...options,
  rowMeanings: { ...rowMeanings, ...Object.fromEntries(question.rows.map((row) => [row, mark])) },
});
