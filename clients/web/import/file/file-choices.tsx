/** The choices of a file: its questions, its first rows as entries, and below them all columns and options. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { pounds } from '../../../typescript/pounds.ts';
import { type FileColumn, fileColumns, isAmountUse, withAnswerFor } from '../column-uses.ts';
import type { ViewProps } from '../importer.ts';
import type { ColumnUse, ColumnUses, FileState, ParseOptions } from '../state.ts';
import { type AnswerItem, answerItemsOf } from './answers.ts';
import { ColumnRead } from './columns.tsx';
import { FilePreview } from './preview.tsx';
import { Answers, hasQuestions, Questions } from './questions.tsx';
import { Settings } from './settings.tsx';

interface Props extends ViewProps, Pick<ComponentProps<typeof Questions>, 'onPick'> {
  opened: FileState;
  /** The beginning of the ids of the fields: each file has its own. */
  id: string;
  /** Uses that are picked for one of several columns, and not confirmed yet. */
  picked: ColumnUses;
  /** An answer or a setting is about to change the file. */
  onAnswer: () => void;
}

export function FileChoices({ importer, state, opened, id, picked, onPick, onAnswer }: Props) {
  const { file, parseOptions } = opened;
  const columns = fileColumns(opened).map((column) => withPicked(column, picked));
  const items = answerItemsOf(opened);
  const change = (options: ParseOptions) => {
    onAnswer();
    void importer.setParseOptions(file, options);
  };
  const onUses: ComponentProps<typeof Questions>['onUses'] = (uses, values) => {
    if (!uses.every(([column, use]) => use?.use !== 'ignore' || mayIgnore(column))) return false;
    change({
      uses: uses.reduce((all, each) => withAnswerFor(columns, all, ...each), parseOptions.uses),
      ...(values && { values: { ...parseOptions.values, ...values } }),
    });
    return true;
  };
  const onUse = (column: FileColumn, use: ColumnUse | undefined) => onUses([[column, use]]);
  const isSettled = !columns.some(hasQuestions) && items.every(({ answer }) => answer !== undefined);
  const flipped = isSettled ? flippedAmount(columns) : undefined;
  return (
    <div id={`${id}-choices`} class="file-choices">
      <Questions columns={columns} items={items} onPick={onPick} id={id} onUses={onUses} onAnswer={change} />
      <FilePreview
        opened={opened}
        columns={columns}
        state={state}
        onFlip={flipped && (() => onUse(flipped.column, { use: flipped.use }))}
      />
      <Disclosure
        title={columns.length > 0 ? 'All columns and options' : 'Options'}
        isNeeded={isSettled && !state.isBusy}
      >
        {items
          .filter((item) => isAnswered(item, columns))
          .map((item) => (
            <Answers key={item.label} item={item} onAnswer={change} />
          ))}
        {columns.length > 0 && (
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
        <Settings opened={opened} id={id} set={change} />
      </Disclosure>
    </div>
  );
}

/** One of several open columns has the use that is picked for it before all are confirmed. */
function withPicked(column: FileColumn, picked: ColumnUses): FileColumn {
  const pick = column.isOneOfSeveral && hasQuestions(column) ? picked[column.name] : undefined;
  return pick ? { ...column, use: pick.use } : column;
}

const FLIPPED: Partial<Record<ColumnUse['use'], ColumnUse['use']>> = {
  amount: 'spent',
  spent: 'amount',
  moneyIn: 'moneyOut',
  moneyOut: 'moneyIn',
};

/** The only column of amounts with the opposite use, if a person has chosen its use. */
function flippedAmount(
  columns: readonly FileColumn[],
): { column: FileColumn; use: ColumnUse['use'] } | undefined {
  const [column, ...others] = columns.filter(({ use }) => isAmountUse(use));
  const use = column?.chosen && FLIPPED[column.chosen.use];
  return column && use && others.length === 0 ? { column, use } : undefined;
}

/** Whether the item has an answer, and none of its column is open. */
const isAnswered = ({ answer, column }: AnswerItem, columns: readonly FileColumn[]): boolean =>
  answer !== undefined && !columns.some((each) => each.name === column && hasQuestions(each));

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

/** Needs a confirmation before amounts are left out. */
const mayIgnore = ({ sum, label }: FileColumn): boolean =>
  !sum || confirm(`“${label}” has ${pounds(sum)} in all. Leave this out?`);

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
