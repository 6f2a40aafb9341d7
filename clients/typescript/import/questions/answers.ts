/** The options that an answer to a question of the reader means. */

import type { ImportOptions } from '../options.ts';
import { type Answer, type Choice, MEANINGS, type Meaning, type Question } from '../questions-and-answers.ts';

/** The options with the answer added. An amount of several in one direction becomes one of `amounts`. */
export function withAnswer(options: ImportOptions, question: Question, answer: Answer): ImportOptions {
  const { kind, name, rows, questions } = question;
  if (typeof answer === 'object' && questions) {
    const given = questions.reduce((all, each) => {
      const { [each.name]: own } = answer;
      return own === undefined ? all : withAnswer(all, each, own);
    }, options);
    return kind === 'amounts' ? given : { ...given, map: { ...given.map, unsigned: name } };
  }
  if (typeof answer === 'object') {
    const { values = {} } = options;
    const meanings = answer as Readonly<Record<string, Meaning>>;
    return { ...options, values: { ...values, [name]: { ...values[name], ...meanings } } };
  }
  if (answer === 'ignore') return { ...options, ignore: [...(options.ignore ?? []), name] };
  if (answer === 'pounds' || answer === 'pence') return { ...options, unit: answer };
  if (isMeaning(answer)) {
    const answered = Object.fromEntries(rows.map((row) => [row, answer]));
    return { ...options, rowMeanings: { ...options.rowMeanings, ...answered } };
  }
  const { amounts = [], map = {} } = options;
  if (kind === 'amount' && (answer === 'moneyIn' || answer === 'moneyOut')) {
    const direction = answer === 'moneyIn' ? 'in' : 'out';
    return { ...options, amounts: [...amounts, { columns: [name], direction }] };
  }
  return { ...options, map: { ...map, [answer]: name } };
}

const isMeaning = (answer: Choice): answer is Meaning => (MEANINGS as readonly Choice[]).includes(answer);

/** The questions, with one for each column in place of one about several columns of amounts. */
export const eachColumn = (questions: readonly Question[] = []): readonly Question[] =>
  questions.flatMap((each) => (each.kind === 'amounts' ? (each.questions ?? []) : [each]));

/** The mark in place of an open answer. No option takes it. */
export const OPEN_ANSWER: string = '…';

/** The options for several columns of amounts, with `OPEN_ANSWER` in place of each answer. */
export function markedAmounts({ questions = [] }: Question): ImportOptions {
  const sum = questions.find(({ amounts }) => amounts);
  const others = questions.filter((each) => each !== sum);
  return {
    ...(sum && { map: { [OPEN_ANSWER]: sum.name } }),
    amounts: others.map(({ name }) => ({ columns: [name], direction: OPEN_ANSWER as 'in' })),
  };
}

/** The question about one of several columns of amounts, with COLUMN in place of its name. */
export const ofOneColumn = (question: Question): Question => ({
  ...question,
  kind: 'amount',
  name: 'COLUMN',
});

/** The meanings among the choices of a question. */
export const meaningsOf = ({ choices }: Question): Meaning[] => choices.filter(isMeaning);

/** An answer to a question, as options. */
interface AnswerOption {
  /** The options of the answer, with `OPEN_ANSWER` in place of each meaning that a person has to put in. */
  options: ImportOptions;
  /** The answer; undefined with marks. */
  choice?: Choice;
  /** The meanings to choose from at each mark. */
  meanings: readonly Meaning[];
  /** The column whose values give the direction of the amount. */
  column?: string;
}

/** The answers to a question, but for one about several columns of amounts. No value of a column has a meaning: no example may pass for an answer. */
export function answerOptions(question: Question, valuesMax = Number.POSITIVE_INFINITY): AnswerOption[] {
  const { kind, choices, questions = [] } = question;
  const meanings = kind === 'values' ? meaningsOf(question) : [];
  const others = choices.filter((choice) => !meanings.some((each) => each === choice));
  const marked = ({ values = [] }: Question) =>
    Object.fromEntries(values.slice(0, valuesMax).map((value) => [value, OPEN_ANSWER as Meaning]));
  return [
    ...(meanings.length > 0 ? [{ options: withAnswer({}, question, marked(question)), meanings }] : []),
    ...others.map((choice) => ({ options: withAnswer({}, question, choice), choice, meanings: [] })),
    ...questions.map((ofColumn) => ({
      options: withAnswer({}, question, { [ofColumn.name]: marked(ofColumn) }),
      meanings: meaningsOf(ofColumn),
      column: ofColumn.name,
    })),
  ];
}
