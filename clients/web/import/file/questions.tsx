/** The open questions of a file, each at its column, most certain first, with its answers as buttons. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Field, Question } from '../../../typescript/import/questions-and-answers.ts';
import { hasMinus, isBlankAmount } from '../../../typescript/import/values/amounts.ts';
import { counted } from '../../page/format.ts';
import { FIELD_NAMES, type FileColumn, isAmountUse } from '../column-uses.ts';
import type { ColumnUse, ParseOptions, Use } from '../state.ts';
import { type AnswerItem, answerItemsOf, CHOICE_NAMES } from './answers.ts';
import { UseOf } from './columns.tsx';

interface Props {
  columns: readonly FileColumn[];
  items: readonly AnswerItem[];
  /** Begins the ids of the fields: each file has its own. */
  id: string;
  /** The answer for one of several columns, which is not confirmed yet: the column is given with it. */
  onPick: (column: FileColumn, use: ColumnUse | undefined) => void;
  /** @param values of the columns that give the direction. @returns false: the columns stay as they are */
  onUses: (
    uses: readonly (readonly [FileColumn, ColumnUse | undefined])[],
    values?: ParseOptions['values'],
  ) => boolean;
  onAnswer: (change: ParseOptions) => void;
}

const CERTAIN_FIRST: Question['kind'][] = ['date', 'direction', 'amount', 'unit', 'values', 'heading'];
const rankOf = ({ questions: [first] }: FileColumn) => CERTAIN_FIRST.indexOf(first?.kind ?? 'heading');

/** Whether the column is open. */
export const hasQuestions = ({ questions }: FileColumn): boolean => questions.length > 0;

export function Questions({ columns, items, id, onPick, onUses, onAnswer }: Props) {
  const [turns, setTurns] = useState(0);
  const open = columns.filter(hasQuestions).sort((one, other) => rankOf(one) - rankOf(other));
  const ofAmounts = open.filter(({ isOneOfSeveral }) => isOneOfSeveral);
  const one = ofAmounts.length > 1 ? ofAmounts : [];
  const all = [
    ...open
      .filter((column) => column === one[0] || !one.includes(column))
      .map((column) => ({
        key: column.name,
        content: one.includes(column) ? (
          <AmountsQuestion columns={one} id={id} onPick={onPick} onUses={onUses} />
        ) : (
          <OfColumn column={column} id={id} onUse={(use, values) => onUses([[column, use]], values)}>
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

interface OfColumnProps extends Pick<Props, 'id'> {
  column: FileColumn;
  /** @param values of the columns that give the direction */
  onUse: (use: ColumnUse | undefined, values?: ParseOptions['values']) => boolean;
  children?: ComponentChildren;
}

function OfColumn({ column, id, onUse, children }: OfColumnProps) {
  const [isSaying, setSaying] = useState(false);
  const saying = column.isOneOfSeveral ? [] : column.questions.flatMap(({ questions = [] }) => questions);
  const isOpened = (use: Use) => use === 'unsigned' && saying.length > 0;
  return (
    <>
      <UseOf column={column} id={id} onUse={onUse} />
      <p>{column.questions[0]?.message}</p>
      {children}
      <div class="actions">
        {usesFor(column).map((use) => (
          <button
            key={use}
            type="button"
            aria-pressed={column.isOneOfSeveral ? use === column.use : undefined}
            aria-expanded={isOpened(use) ? isSaying : undefined}
            onClick={() => (isOpened(use) ? setSaying(!isSaying) : onUse({ use }))}
          >
            {useText(use, column)}
          </button>
        ))}
      </div>
      {isSaying && (
        <Directions questions={saying} onConfirm={(values) => onUse({ use: 'unsigned' }, values)} />
      )}
    </>
  );
}

/** The values of the columns that may give the direction of an amount. One whole column is an answer. */
function Directions({
  questions,
  onConfirm,
}: {
  questions: readonly Question[];
  onConfirm: (values: ParseOptions['values']) => void;
}) {
  const [given, setGiven] = useState<ParseOptions>({});
  const items = answerItemsOf({ problem: { questions }, parseOptions: given });
  const isAnswered = ({ name }: Question) =>
    items.every(({ column, answer }) => column !== name || answer !== undefined);
  return (
    <>
      {questions.map(({ name, message }) => (
        <fieldset key={name} class="answers" aria-label={`The direction by ${name}`}>
          <p>{message}</p>
          {items.map(
            (item) => item.column === name && <Answers key={item.label} item={item} onAnswer={setGiven} />,
          )}
        </fieldset>
      ))}
      <button
        type="button"
        class="primary"
        disabled={!questions.some(isAnswered)}
        onClick={() => onConfirm(given.values)}
      >
        Confirm these values
      </button>
    </>
  );
}

/** One question about several columns of amounts: nothing is read before each has its answer, and the person confirms all of them. */
function AmountsQuestion({
  columns,
  id,
  onPick,
  onUses,
}: Pick<Props, 'columns' | 'id' | 'onPick' | 'onUses'>) {
  const picks = columns.flatMap((column) => {
    const { use } = column;
    return use === 'open' || use === 'other' ? [] : [[column, { use }] as const];
  });
  const left = columns.length - picks.length;
  return (
    <>
      <h4>These columns hold amounts: choose the use of each</h4>
      {columns.map((column) => (
        <fieldset key={column.name} class="answers" aria-label={`The answer for ${column.label}`}>
          <OfColumn
            column={column}
            id={id}
            onUse={(use) => {
              onPick(column, use);
              return true;
            }}
          />
        </fieldset>
      ))}
      <button type="button" class="primary" disabled={left > 0} onClick={() => onUses(picks)}>
        Confirm these columns
      </button>
      {left > 0 && <p class="hint">{counted(left, 'column has', 'columns have')} no answer yet.</p>}
    </>
  );
}

/** Answers that stay, so that they can be changed: pressed again, the question is open again. */
export function Answers({ item, onAnswer }: { item: AnswerItem; onAnswer: Props['onAnswer'] }) {
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
  const likely = all.filter((use) => amounts.includes(use) || !(isAmountUse(use) || use === 'balance'));
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
