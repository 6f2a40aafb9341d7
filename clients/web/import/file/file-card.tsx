/** A file: in one line once it is settled. Otherwise, or on request, its questions, its first rows as entries, and all choices. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { totalsOf } from '../../../typescript/export/totals.ts';
import { pounds as plainAmount } from '../../../typescript/pounds.ts';
import { counted, pounds } from '../../page/format.ts';
import { Rates } from '../check/rates.tsx';
import { columnsOf, type FileColumn, isAmount, withAnswerFor } from '../column-uses.ts';
import type { ViewProps } from '../importer.ts';
import { type ColumnUse, type ColumnUses, type FileState, invalidRows, type ParseOptions } from '../state.ts';
import { itemsOf } from './answers.ts';
import { ColumnRead } from './columns.tsx';
import { Preview } from './preview.tsx';
import { Answers, hasQuestions, Questions } from './questions.tsx';
import { recognisedText } from './recognised-text.ts';
import { Settings } from './settings.tsx';

interface Props extends ViewProps {
  opened: FileState;
  /** Shows the choices. */
  isShown: boolean;
  onShow: (isShown: boolean) => void;
  /** Begins the ids of the fields: each file has its own. */
  id: string;
}

const FLIPPED: Partial<Record<ColumnUse['use'], ColumnUse['use']>> = {
  amount: 'spent',
  spent: 'amount',
  moneyIn: 'moneyOut',
  moneyOut: 'moneyIn',
};

export function FileCard(props: Props) {
  const { importer, state, opened, isShown, onShow, id } = props;
  const { file, problem, parseOptions } = opened;
  const [picked, setPicked] = useState<ColumnUses>({});
  const columns = columnsOf(opened).map((column) => {
    const pick = column.isOneOfSeveral && hasQuestions(column) ? picked[column.name] : undefined;
    return pick ? { ...column, use: pick.use } : column;
  });
  const items = itemsOf(opened);
  const { card, onAnswer } = useFocusKept(state.isBusy);
  const set = (change: ParseOptions) => {
    onAnswer();
    onShow(true);
    void importer.setParseOptions(file, change);
  };
  const onUses: ComponentProps<typeof Questions>['onUses'] = (uses, values) => {
    if (!uses.every(([column, use]) => use?.use !== 'ignore' || mayIgnore(column))) return false;
    set({
      uses: uses.reduce((all, each) => withAnswerFor(columns, all, ...each), parseOptions.uses),
      ...(values && { values: { ...parseOptions.values, ...values } }),
    });
    return true;
  };
  const onUse = (column: FileColumn, use: ColumnUse | undefined) => onUses([[column, use]]);
  const amounts = columns.filter(({ use }) => isAmount(use));
  const [amount] = amounts;
  const isSettled = !columns.some(hasQuestions) && items.every(({ answer }) => answer !== undefined);
  const flipped = isSettled && amounts.length === 1 && amount?.chosen && FLIPPED[amount.chosen.use];
  const answered = items.filter(
    ({ answer, column }) =>
      answer !== undefined && !columns.some((each) => each.name === column && hasQuestions(each)),
  );
  const isTable = columns.length > 0;
  // No control makes a statement of a PDF. An earlier choice can always be taken back.
  const isSet = Object.values(parseOptions).some((value) => value !== undefined);
  const hasChoices = !problem || problem.option !== undefined || problem.table !== undefined || isSet;
  return (
    <section class="file" aria-labelledby={`${id}-name`} aria-busy={state.isBusy} ref={card}>
      <Head {...props} hasChoices={hasChoices} />
      <FileLine opened={opened} id={id} />
      <Rates importer={importer} state={state} opened={opened} />
      {isShown && hasChoices && (
        <div id={`${id}-choices`} class="file-choices">
          <Questions
            columns={columns}
            items={items}
            onPick={({ name }, use) => setPicked((before) => ({ ...before, ...(use && { [name]: use }) }))}
            id={id}
            onUses={onUses}
            onAnswer={set}
          />
          <Preview
            opened={opened}
            columns={columns}
            state={state}
            onFlip={flipped ? () => amount && onUse(amount, { use: flipped }) : undefined}
          />
          <Disclosure
            title={isTable ? 'All columns and options' : 'Options'}
            isNeeded={isSettled && !state.isBusy}
          >
            {answered.map((item) => (
              <Answers key={item.label} item={item} onAnswer={set} />
            ))}
            {isTable && (
              <ul class="columns" aria-label={`The columns of ${file.name}`}>
                {columns.map((column) =>
                  hasQuestions(column) ? null : (
                    <ColumnRead
                      key={column.name}
                      column={column}
                      state={state}
                      id={id}
                      onUse={(use) => onUse(column, use)}
                    />
                  ),
                )}
              </ul>
            )}
            <KeptColumns importer={importer} opened={opened} />
            <Settings opened={opened} id={id} set={set} />
          </Disclosure>
        </div>
      )}
    </section>
  );
}

/** The name, and the buttons that show the choices and remove the file. */
function Head({ importer, opened, isShown, onShow, id, hasChoices }: Props & { hasChoices: boolean }) {
  const { file } = opened;
  return (
    <div class="row-between">
      <h3 id={`${id}-name`} class="file-name" tabIndex={-1}>
        {file.name}
      </h3>
      <div class="actions">
        {hasChoices && (
          <button
            type="button"
            class="quiet small"
            aria-expanded={isShown}
            aria-controls={`${id}-choices`}
            aria-label={`${isShown ? 'Close' : 'Change'} how ${file.name} is read`}
            onClick={() => onShow(!isShown)}
          >
            {isShown ? 'Close' : 'Change'}
          </button>
        )}
        <button
          type="button"
          class="quiet small"
          aria-label={`Remove ${file.name}`}
          onClick={() => mayRemove(opened) && void importer.removeFile(file)}
        >
          Remove
        </button>
      </div>
    </div>
  );
}

/** The earlier choices that the columns are read with. */
function KeptColumns({ importer, opened: { file, result, problem } }: Pick<Props, 'importer' | 'opened'>) {
  const { keptFrom, kind } = result?.recognised ?? {};
  if (keptFrom === undefined || !kind || problem) return null;
  const { accounts } = kind;
  return (
    <div class="row-between">
      <p class="hint">
        Your rules keep the use of these columns for files with this header{' '}
        {accounts.length > 0 ? `of ${accounts.join(', ')}` : 'that name no bank account'}.
      </p>
      <button type="button" class="quiet small" onClick={() => void importer.forgetColumns(file)}>
        Forget it
      </button>
    </div>
  );
}

/** The problem of the file, or the result in one line. */
function FileLine({ opened: { result, problem }, id }: Pick<Props, 'opened' | 'id'>) {
  if (problem) {
    const { questions, keptNote = '' } = problem;
    const open =
      questions && `${counted(questions.length, 'question is', 'questions are')} open. ${keptNote}`;
    return (
      <p id={`${id}-problem`} class="note bad" role="alert">
        {open ?? problem.message}
      </p>
    );
  }
  if (!result) return <p class="note">Reading…</p>;
  const invalid = invalidRows([result]);
  const { income, expense } = totalsOf(result.entries.map(({ entry }) => entry));
  return (
    <p class={`note ${invalid.toCorrect > 0 ? 'warning' : 'good'}`}>
      <span>{recognisedText(result, invalid)}</span>
      {result.entries.length > 0 && ` In ${pounds(income.pence)}, out ${pounds(expense.pence)}.`}
    </p>
  );
}

/**
 * An answer may remove the control that has the focus: then the next question gets it, or the name of the file.
 * @returns the element of the file, and a function that each answer calls
 */
function useFocusKept(isBusy: boolean) {
  const card = useRef<HTMLElement>(null);
  const isAnswered = useRef(false);
  useLayoutEffect(() => {
    if (isAnswered.current && document.activeElement === document.body)
      card.current?.querySelector<HTMLElement>('.current, .file-name')?.focus();
    isAnswered.current &&= isBusy;
  });
  const onAnswer = () => {
    isAnswered.current = true;
  };
  return { card, onAnswer };
}

/** Needs a confirmation before amounts are left out. */
const mayIgnore = ({ sum, label }: FileColumn): boolean =>
  !sum || confirm(`“${label}” has ${plainAmount(sum)} in all. Leave this out?`);

/** Needs a confirmation before edits are lost. */
const mayRemove = ({ file, corrections: { size } }: FileState): boolean =>
  size === 0 || confirm(`Your changes to ${counted(size, 'row')} of ${file.name} will be lost.`);

interface DisclosureProps {
  title: string;
  isNeeded: boolean;
  children: ComponentChildren;
}

/** A part that opens by itself when it is needed, and stays open when it no longer is. */
function Disclosure({ title, isNeeded, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen || isNeeded} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
