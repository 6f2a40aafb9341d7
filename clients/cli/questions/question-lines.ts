/** Terminal lines of the questions about a file, with the options that answer them. */
import { counted } from '../../typescript/counted.ts';
import {
  type ImportError,
  type ImportOptions,
  type Question,
  withAnswer,
} from '../../typescript/import/index.ts';
import {
  answerOptions,
  eachColumn,
  markedAmounts,
  OPEN_ANSWER,
  ofOneColumn,
} from '../../typescript/import/questions/answers.ts';
import { choiceText, questionText } from '../../typescript/import/questions/texts.ts';
import { shellText } from '../output.ts';
import { choiceOptions, type NamedIn } from './choice-options.ts';

const QUESTIONS_SHOWN = 20;

/** The message of a refused file. Its questions follow, one by one. */
export function refusalText({ questions = [], keptNote }: ImportError): string {
  const things = counted(questions.length, 'thing is', 'things are');
  return `${things} open about the file. Add the option of the right answer to each.${keptNote ? ` ${keptNote}` : ''}`;
}

/** The lines below the message of a refused file. */
export function questionLines({ questions = [], table }: ImportError, file: string | undefined): string[] {
  const named = namesIn(questions, table?.header ?? [], file);
  const shown = questions
    .slice(0, QUESTIONS_SHOWN)
    .flatMap((question, index) => [
      `${index + 1}. ${questionText(question)}`,
      ...aligned(answerLines(question, named)).map((line) => `   ${line}`),
    ]);
  const more = questions.length - QUESTIONS_SHOWN;
  return more > 0 ? [...shown, `… and ${more} more questions, once these are answered.`] : shown;
}

/** `--map` takes a column by its number if its name has a comma or an equals sign, or is not unique. */
export function namesIn(
  questions: readonly Question[],
  header: readonly string[],
  file: string | undefined,
): NamedIn {
  const columnOf = (name: string) => {
    const isPlain = !/[,=]/.test(name) && header.filter((each) => each === name).length < 2;
    const [index] = eachColumn(questions).find((question) => question.name === name)?.columns ?? [];
    return isPlain || index === undefined ? name : String(index + 1);
  };
  return { file, columnOf };
}

/** Each answer as an option and its meaning. */
function answerLines(question: Question, named: NamedIn): [option: string, meaning: string][] {
  const { kind, values = [], choices } = question;
  const optionOf = (options: ImportOptions) => choiceOptions(options, named).map(shellText).join(' ');
  if (kind === 'amounts') {
    const ofEach = choices.map((choice): [string, string] => [
      optionOf(withAnswer({}, ofOneColumn(question), choice)),
      `in place of the option of a column: ${choiceText(choice)}`,
    ]);
    if (mayBeParts(question.questions ?? [])) return ofEach;
    const all = markedAmounts(question);
    const ofSum = all.map ? `, and check (${choiceText('check')}) in that of --map` : '';
    const how = `an option for each column: put in (money in) or out (money out) in place of ${OPEN_ANSWER}${ofSum}`;
    return [[optionOf(all), how], ...ofEach];
  }
  const [value] = values;
  return answerOptions(question).flatMap(({ options, choice, meanings, column }): [string, string][] => {
    if (choice !== undefined) return [[optionOf(options), choiceText(choice)]];
    if (column === undefined && values.length === 1 && value !== undefined)
      return meanings.map((meaning) => [
        optionOf(withAnswer({}, question, { [value]: meaning })),
        choiceText(meaning),
      ]);
    const texts = meanings.map((meaning) => `${meaning} (${choiceText(meaning)})`).join(', ');
    const direction = column === undefined ? '' : `${JSON.stringify(column)} gives the direction: `;
    return [[optionOf(options), `${direction}for each ${OPEN_ANSWER} put ${texts}`]];
  });
}

/** Pounds beside pence, and columns without a name: no line makes each an amount of its own. */
export const mayBeParts = (amounts: readonly Question[]): boolean =>
  amounts.some(({ name, columns: [index = 0] }) => name === String(index + 1) || PART.test(name));
const PART = /^(?:pounds?|pence|pennies|cents|[£p])$/i;

function aligned(lines: readonly [option: string, meaning: string][]): string[] {
  const width = Math.min(50, Math.max(0, ...lines.map(([option]) => option.length)));
  return lines.map(([option, meaning]) => `${option.padEnd(width)}  ${meaning}`);
}
