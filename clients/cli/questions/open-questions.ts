/** The open questions about a file, and the options that answer them. */
import {
  type ImportError,
  type ImportOptions,
  type Meaning,
  type Question,
  withAnswer,
} from '../../typescript/import/index.ts';
import { meaningsOf } from '../../typescript/import/questions/answers.ts';
import { choiceText, questionText } from '../../typescript/import/questions/texts.ts';
import { counted, shellText } from '../output.ts';
import { choiceOptions, type NamedIn } from './choice-options.ts';

/** In place of an answer. No option takes it. */
export const OPEN = '…';

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
    const [index] = questions.find((question) => question.name === name)?.columns ?? [];
    return isPlain || index === undefined ? name : String(index + 1);
  };
  return { file, columnOf };
}

/** Each answer as an option and its meaning. */
function answerLines(question: Question, named: NamedIn): [option: string, meaning: string][] {
  const { kind, values = [], choices } = question;
  const optionOf = (options: ImportOptions) => choiceOptions(options, named).map(shellText).join(' ');
  const meanings = meaningsOf(question);
  const others = choices.filter((choice) => kind !== 'values' || !meanings.some((each) => each === choice));
  const lines = others.map((choice): [string, string] => [
    optionOf(withAnswer({}, question, choice)),
    choiceText(choice),
  ]);
  if (kind !== 'values' || meanings.length === 0) return lines;
  const valuesAs = (meaning: Meaning) =>
    optionOf(withAnswer({}, question, Object.fromEntries(values.map((value) => [value, meaning]))));
  if (values.length === 1)
    return [
      ...meanings.map((meaning): [string, string] => [valuesAs(meaning), choiceText(meaning)]),
      ...lines,
    ];
  // A meaning has to be put in for each: no example may pass for an answer.
  const each = meanings.map((meaning) => `${meaning} (${choiceText(meaning)})`).join(', ');
  return [[valuesAs(OPEN as Meaning), `for each ${OPEN} put ${each}`], ...lines];
}

function aligned(lines: readonly [option: string, meaning: string][]): string[] {
  const width = Math.min(50, Math.max(0, ...lines.map(([option]) => option.length)));
  return lines.map(([option, meaning]) => `${option.padEnd(width)}  ${meaning}`);
}
