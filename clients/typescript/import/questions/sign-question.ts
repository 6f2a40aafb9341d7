/** The question about the direction of amounts, for all formats. */

import type { ImportOptions } from '../options.ts';
import type { Question } from '../questions-and-answers.ts';
import { hasMinus, isBlankAmount } from '../values/amounts.ts';
import type { SignedText } from '../values/convention.ts';

/** @param name of the column or field. @param why it is open, if more than its signs say so */
export function signQuestion(
  { name, label = `"${name}"`, columns }: Pick<Question, 'name' | 'columns'> & { label?: string },
  amounts: readonly Pick<SignedText, 'text'>[],
  why?: string,
): Question {
  const isSigned = amounts.some(({ text }) => !isBlankAmount(text) && hasMinus(text));
  const bySigns = isSigned
    ? 'few of its amounts have a minus, which may be money out or money back'
    : 'none of its amounts has a minus';
  return {
    kind: 'direction',
    name,
    columns,
    rows: [],
    message: `${label} may be money in or money out: ${why ?? bySigns}.`,
    choices: isSigned ? ['amount', 'spent'] : ['moneyIn', 'moneyOut', 'amount', 'spent'],
  };
}

/** The sign that a person has given to the amounts of a format without columns. @param name of the field */
export function chosenSign({ map = {} }: ImportOptions, name: string): 1 | -1 | undefined {
  if (map.spent === name || map.moneyOut === name) return -1;
  return map.amount === name || map.moneyIn === name ? 1 : undefined;
}
