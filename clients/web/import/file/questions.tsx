/** The open questions of a file, each at its column, most certain first, with its answers as buttons. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Field, Question } from '../../../typescript/import/options.ts';
import { hasMinus, isBlankAmount } from '../../../typescript/import/values/amounts.ts';
import { counted } from '../../page/format.ts';
import { FIELD_NAMES, type FileColumn, isAmount } from '../column-uses.ts';
import type { ColumnUse, ParseOptions, Use } from '../state.ts';
import { CHOICE_NAMES, type Item } from './answers.ts';

export type Picked = Readonly<Record<string, ColumnUse | undefined>>;

interface Props {
  columns: readonly FileColumn[];
  items: readonly Item[];
  /** The choice among all uses of a column. */
  useOf: (column: FileColumn, onUse: (use: ColumnUse | undefined) => boolean) => ComponentChildren;
  /** The answers that are not confirmed yet, by the names of the columns. */
  answers: Picked;
  onPick: (column: FileColumn, use: ColumnUse | undefined) => void;
  /** @returns false: the columns stay as they are */
  onUses: (uses: readonly (readonly [FileColumn, ColumnUse | undefined])[]) => boolean;
  onAnswer: (change: ParseOptions) => void;
}

const CERTAIN_FIRST: readonly Question['kind'][] = [
  ...(['date', 'direction', 'amount', 'unit', 'values', 'heading'] as const),
];
const rankOf = ({ questions: [first] }: FileColumn) => CERTAIN_FIRST.indexOf(first?.kind ?? 'heading');

export const isOpen = ({ questions }: FileColumn): boolean => questions.length > 0;

export function Questions({ columns, items, answers, useOf, onPick, onUses, onAnswer }: Props) {
  const [turns, setTurns] = useState(0);
  const open = columns.filter(isOpen).sort((one, other) => rankOf(one) - rankOf(other));
  const ofAmounts = open.filter(({ isOneOfSeveral }) => isOneOfSeveral);
  const one = ofAmounts.length > 1 ? ofAmounts : [];
  const all = [
    ...open
      .filter((column) => column === one[0] || !one.includes(column))
      .map((column) => ({
        key: column.name,
        content: one.includes(column) ? (
          <Amounts columns={one} answers={answers} useOf={useOf} onPick={onPick} onUses={onUses} />
        ) : (
          <OfColumn column={column} useOf={useOf} onUse={(use) => onUses([[column, use]])}>
            {items.map((item) => item.column === column.name && <Answers item={item} onAnswer={onAnswer} />)}
          </OfColumn>
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

interface OfColumnProps extends Pick<Props, 'useOf'> {
  column: FileColumn;
  /** The answer that is not confirmed yet. */
  answer?: ColumnUse['use'] | undefined;
  onUse: (use: ColumnUse | undefined) => boolean;
  children?: ComponentChildren;
}

function OfColumn({ column, answer, useOf, onUse, children }: OfColumnProps) {
  return (
    <>
      {useOf(answer ? { ...column, use: answer } : column, onUse)}
      <p>{column.questions[0]?.message}</p>
      {children}
      <div class="actions">
        {usesFor(column).map((use) => (
          <button
            key={use}
            type="button"
            aria-pressed={column.isOneOfSeveral ? use === answer : undefined}
            onClick={() => onUse({ use })}
          >
            {useText(use, column)}
          </button>
        ))}
      </div>
    </>
  );
}

/** One question about several columns of amounts: nothing is read before each has its answer, and the person confirms all of them. */
function Amounts({
  columns,
  answers,
  useOf,
  onPick,
  onUses,
}: Pick<Props, 'columns' | 'answers' | 'useOf' | 'onPick' | 'onUses'>) {
  const left = columns.filter(({ name }) => !answers[name]).length;
  return (
    <>
      <h4>These columns hold amounts: choose the use of each</h4>
      {columns.map((column) => (
        <fieldset key={column.name} class="answers" aria-label={`The answer for ${column.label}`}>
          <OfColumn
            column={column}
            answer={answers[column.name]?.use}
            useOf={useOf}
            onUse={(use) => {
              onPick(column, use);
              return true;
            }}
          />
        </fieldset>
      ))}
      <button
        type="button"
        class="primary"
        disabled={left > 0}
        onClick={() => onUses(columns.map((column) => [column, answers[column.name]]))}
      >
        Confirm these columns
      </button>
      {left > 0 && <p class="hint">{counted(left, 'column has', 'columns have')} no answer yet.</p>}
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
