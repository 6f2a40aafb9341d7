/** The open questions of a file, each at its column, most certain first, with its answers as buttons. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Field, Question } from '../../../typescript/import/options.ts';
import { hasMinus, isBlankAmount } from '../../../typescript/import/values/amounts.ts';
import { FIELD_NAMES, type FileColumn, isAmount } from '../column-uses.ts';
import type { ColumnUse, ParseOptions, Use } from '../state.ts';
import { CHOICE_NAMES, type Item } from './answers.ts';

interface Props {
  columns: readonly FileColumn[];
  items: readonly Item[];
  /** The choice among all uses of a column. */
  useOf: (column: FileColumn) => ComponentChildren;
  onUse: (column: FileColumn, use: ColumnUse) => void;
  onAnswer: (change: ParseOptions) => void;
}

const CERTAIN_FIRST: readonly Question['kind'][] = [
  ...(['date', 'direction', 'amount', 'unit', 'values', 'heading'] as const),
];
const rankOf = ({ questions: [first] }: FileColumn) => CERTAIN_FIRST.indexOf(first?.kind ?? 'heading');

export const isOpen = ({ questions }: FileColumn): boolean => questions.length > 0;

export function Questions({ columns, items, useOf, onUse, onAnswer }: Props) {
  const [turns, setTurns] = useState(0);
  const open = columns.filter(isOpen).sort((one, other) => rankOf(one) - rankOf(other));
  const all = [
    ...open.map((column) => ({
      key: column.name,
      content: (
        <>
          {useOf(column)}
          <p>{column.questions[0]?.message}</p>
          {items.map((item) => item.column === column.name && <Answers item={item} onAnswer={onAnswer} />)}
          <div class="actions">
            {usesFor(column).map((use) => (
              <button key={use} type="button" onClick={() => onUse(column, { use })}>
                {useText(use, column)}
              </button>
            ))}
          </div>
        </>
      ),
    })),
    ...items
      .filter(({ answer, column }) => answer === undefined && !open.some(({ name }) => name === column))
      .map((item) => ({ key: item.label, content: <Answers item={item} onAnswer={onAnswer} /> })),
  ];
  if (all.length === 0) return null;
  const current = turns % all.length;
  return (
    <>
      <ol class="questions">
        {all.map(({ key, content }, index) => (
          <li key={key} class={index === current ? 'current' : ''} tabIndex={-1}>
            {content}
          </li>
        ))}
      </ol>
      {all.length > 1 && (
        <button type="button" class="quiet next-question" onClick={() => setTurns(current + 1)}>
          Question {current + 1} of {all.length}: the next one
        </button>
      )}
    </>
  );
}

/** Answers that stay, so that they can be changed: pressed again, the question is open again. */
export function Answers({ item, onAnswer }: { item: Item; onAnswer: Props['onAnswer'] }) {
  return (
    <fieldset class="answers">
      <legend>{item.label}</legend>
      {item.message && <p>{item.message}</p>}
      <div class="actions">
        {Object.entries(item.choices).map(([choice, name]) => (
          <button
            key={choice}
            type="button"
            aria-pressed={item.answer === choice}
            onClick={() => onAnswer(item.change(item.answer === choice ? undefined : choice))}
          >
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

const USES = [...(Object.keys(FIELD_NAMES) as Field[]), 'ignore'] as const;

/** The likely answers. All others are in the list. */
function usesFor({ questions, values }: FileColumn): ColumnUse['use'][] {
  const all = USES.filter((use) => questions.some(({ choices }) => choices.includes(use)));
  if (questions.some(({ kind, choices }) => kind === 'direction' || choices.length === 2)) return all;
  const isSigned = all.includes('amount') && values.some(hasMinus);
  const amounts: readonly Use[] = isSigned ? ['amount', 'spent'] : ['moneyIn', 'moneyOut'];
  const likely = all.filter((use) => amounts.includes(use) || !(isAmount(use) || use === 'balance'));
  const isSum = questions.some(({ amounts }) => amounts);
  return isSum ? ['check', ...likely.filter((use) => use !== 'check')] : likely;
}

/** `-12.00 is money out, 60.00 is money in` for a column that has both. */
function useText(use: ColumnUse['use'], { values, questions }: FileColumn): string {
  const amounts = values.filter((text) => !isBlankAmount(text));
  const [minus, plain] = [amounts.find(hasMinus), amounts.find((text) => !hasMinus(text))];
  const isOfSigns = minus && plain && questions.some(({ kind }) => kind === 'direction');
  if (isOfSigns && use === 'amount') return `${plain} is money in, ${minus} is money out`;
  if (isOfSigns && use === 'spent') return `${plain} is money out, ${minus} is money back`;
  return CHOICE_NAMES[use];
}
