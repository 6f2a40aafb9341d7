/** Questions in a question: about each of several columns of amounts, and about columns that may give the direction of a single one. */

import type { Question } from '../../questions-and-answers.ts';
import type { DirectionState } from './values-question.ts';

/**
 * The question about the direction. One choice is that another column gives it.
 * @param columnQuestions the questions about the columns that may be that one
 * @param asked the other questions about the table
 */
export function withUnsigned(
  open: Question,
  state: DirectionState,
  columnQuestions: readonly Question[],
  asked: readonly Question[],
): Question[] {
  if (columnQuestions.length === 0) return [open];
  if (state !== 'open') return [];
  return [withColumnQuestions({ ...open, choices: [...open.choices, 'unsigned'] }, columnQuestions, asked)];
}

/** The question about the direction, with those about columns that may give it, unless the table has these questions anyway. */
function withColumnQuestions(
  direction: Question,
  columnQuestions: readonly Question[],
  asked: readonly Question[],
): Question {
  const isAsked = ({ name }: Question) => asked.some((each) => each.name === name);
  const others = columnQuestions.filter((each) => !isAsked(each));
  return others.length > 0 ? { ...direction, questions: others } : direction;
}

/** Replaces the questions about single columns of amounts by one about all. If there is only one, another column may give its direction. */
export function withOneOfAmounts(
  questions: readonly Question[],
  directionColumnQuestions: () => readonly Question[],
): Question[] {
  const all = questions.filter(({ kind }) => kind === 'amount');
  const [first] = all;
  if (!first) return [...questions];
  if (all.length === 1) {
    const isUnsigned = first.choices.includes('unsigned');
    const single = isUnsigned ? withColumnQuestions(first, directionColumnQuestions(), questions) : first;
    return questions.map((each) => (each === first ? single : each));
  }
  const one: Question = {
    kind: 'amounts',
    columns: all.flatMap(({ columns }) => columns),
    name: '',
    rows: [],
    message: `Several columns hold amounts. ${all.map(({ message }) => message).join(' ')}`,
    choices: [...new Set(all.flatMap(({ choices }) => choices))],
    questions: all,
  };
  return questions.flatMap((each) => (each === first ? [one] : all.includes(each) ? [] : [each]));
}
