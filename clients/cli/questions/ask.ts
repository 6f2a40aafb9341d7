/** Asks a person about an open file on the terminal, question by question. */

import type { Io } from '../../settings/io.ts';
import {
  type Answer,
  type Choice,
  type ImportError,
  type Meaning,
  type Question,
  withAnswer,
} from '../../typescript/import/index.ts';
import { meaningsOf } from '../../typescript/import/questions/answers.ts';
import { choiceText, questionText } from '../../typescript/import/questions/texts.ts';
import type { FileOptions } from '../file-options.ts';
import { print } from '../output.ts';
import { askChoice } from '../prompt.ts';

/** Asks a person about an open file. Returns its options with the answers; undefined if the person gives none. */
export type AskOpen = (
  error: ImportError,
  ownOptions: FileOptions,
  file: string | undefined,
) => Promise<FileOptions | undefined>;

/** A person answers so many values one by one. More are clearer in a line of options. */
const VALUES_MAX = 12;

const hasManyValues = ({ kind, values = [] }: Question) => kind === 'values' && values.length > VALUES_MAX;

/** Returns the options with the answers; undefined if the person stops, or if there are too many values to ask about. */
export const askOn =
  (io: Io): AskOpen =>
  async ({ questions = [] }: ImportError, ownOptions: FileOptions, file: string | undefined) => {
    if (questions.some(hasManyValues)) return undefined;
    let options = ownOptions;
    for (const [index, question] of questions.entries()) {
      const place = `${file === undefined ? '' : `${file}: `}Question ${index + 1} of ${questions.length}.`;
      print(io.stderr, ['', `${place} ${questionText(question)}`]);
      const answer = await answerTo(question, io);
      if (answer === undefined) return undefined;
      options = withAnswer(options, question, answer);
    }
    return options;
  };

/** Asks one question. A column that gives the direction of an amount is a choice too. */
async function answerTo(question: Question, io: Io): Promise<Answer | undefined> {
  const { kind, choices, questions = [] } = question;
  if (kind === 'amounts') return answersByColumn(questions, io);
  if (kind === 'values') return meaningsOfValues(question, io);
  const directionColumns = questions.filter((each) => !hasManyValues(each));
  const choice = await choose('', choices, io, directionColumns);
  const ofColumn = directionColumns.find((each) => each === choice);
  return ofColumn ? answersByColumn([ofColumn], io) : (choice as Choice | undefined);
}

/** Asks about the values of a column one by one. With the first one, a choice about the whole column is offered too. */
async function meaningsOfValues(question: Question, io: Io): Promise<Answer | undefined> {
  const { choices, values = [] } = question;
  const meanings = meaningsOf(question);
  const others = choices.filter((choice) => !meanings.some((meaning) => meaning === choice));
  const answered = new Map<string, Meaning>();
  for (const [index, value] of values.entries()) {
    const offered = index === 0 ? [...meanings, ...others] : meanings;
    const choice = await choose(JSON.stringify(value), offered, io);
    const meaning = meanings.find((each) => each === choice);
    if (meaning === undefined) return choice as Choice | undefined;
    answered.set(value, meaning);
  }
  return Object.fromEntries(answered);
}

/** Asks about each of several columns. Undefined if the person stops. */
async function answersByColumn(questions: readonly Question[], io: Io): Promise<Answer | undefined> {
  const answers: Record<string, Choice | Record<string, Meaning>> = {};
  for (const question of questions) {
    if (questions.length > 1) print(io.stderr, [questionText(question)]);
    const answer = await answerTo({ ...question, questions: undefined }, io);
    if (answer === undefined) return undefined;
    answers[question.name] = answer as Choice | Record<string, Meaning>;
  }
  return answers;
}

/** Asks for one of the choices. @param directionColumns the columns that may give the direction */
const choose = (
  title: string,
  choices: readonly Choice[],
  io: Io,
  directionColumns: readonly Question[] = [],
): Promise<Choice | Question | undefined> =>
  askChoice<Choice | Question>(
    title,
    [
      ...choices.map((choice) => ({ value: choice, text: choiceText(choice) })),
      ...directionColumns.map((each) => ({ value: each, text: `"${each.name}" gives the direction` })),
    ],
    io,
  );
