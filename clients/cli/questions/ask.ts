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
import type { AskOpen } from '../statement-options.ts';

/** More values are clearer in a line of options. */
const VALUES_MAX = 12;

/** Returns the options with the answers; undefined if the person stops, or if there are too many values to ask about. */
export const askOn =
  (io: Io): AskOpen =>
  async ({ questions = [] }: ImportError, own: FileOptions, file: string | undefined) => {
    if (questions.some(({ kind, values = [] }) => kind === 'values' && values.length > VALUES_MAX))
      return undefined;
    let options = own;
    for (const [index, question] of questions.entries()) {
      const place = `${file === undefined ? '' : `${file}: `}Question ${index + 1} of ${questions.length}.`;
      print(io.stderr, ['', `${place} ${questionText(question)}`]);
      const answer = await answerTo(question, io);
      if (answer === undefined) return undefined;
      options = withAnswer(options, question, answer);
    }
    return options;
  };

/** Values are asked about one by one, unless the column is not read. */
async function answerTo(question: Question, io: Io): Promise<Answer | undefined> {
  const { kind, choices, values = [] } = question;
  if (kind !== 'values') return chosen('', choices, io);
  const meanings = meaningsOf(question);
  const others = choices.filter((choice) => !meanings.some((meaning) => meaning === choice));
  const answered = new Map<string, Meaning>();
  for (const [index, value] of values.entries()) {
    const choice = await chosen(JSON.stringify(value), index === 0 ? [...meanings, ...others] : meanings, io);
    const meaning = meanings.find((each) => each === choice);
    if (meaning === undefined) return choice;
    answered.set(value, meaning);
  }
  return Object.fromEntries(answered);
}

const chosen = (title: string, choices: readonly Choice[], io: Io): Promise<Choice | undefined> =>
  askChoice(
    title,
    choices.map((choice) => ({ value: choice, text: choiceText(choice) })),
    io,
  );
