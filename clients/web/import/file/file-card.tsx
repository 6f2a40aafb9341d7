/** A file: its name, its result in one line, and on request, or if it has a problem, its choices. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { totalsOf } from '../../../typescript/export/totals.ts';
import { counted, poundsText } from '../../page/format.ts';
import { Rates } from '../check/rates.tsx';
import type { ViewProps } from '../importer.ts';
import { invalidRows } from '../selectors.ts';
import type { ColumnUses, FileState } from '../state.ts';
import { FileChoices } from './file-choices.tsx';
import { recognisedText } from './recognised-text.ts';

interface Props extends ViewProps {
  opened: FileState;
  /** Whether the choices are shown. */
  isShown: boolean;
  onShow: (isShown: boolean) => void;
  /** Begins the ids of the fields: each file has its own. */
  id: string;
}

export function FileCard(props: Props) {
  const { importer, state, opened, isShown, onShow, id } = props;
  const { problem, parseOptions } = opened;
  const [picked, setPicked] = useState<ColumnUses>({});
  const { card, onAnswer } = useFocusKept(state.isBusy);
  // No control makes a statement of a PDF. An earlier choice can always be taken back.
  const isSet = Object.values(parseOptions).some((value) => value !== undefined);
  const hasChoices = !problem || problem.option !== undefined || problem.table !== undefined || isSet;
  return (
    <section class="file" aria-labelledby={`${id}-name`} aria-busy={state.isBusy} ref={card}>
      <Head {...props} hasChoices={hasChoices} />
      <FileLine opened={opened} id={id} />
      <Rates importer={importer} state={state} opened={opened} />
      {isShown && hasChoices && (
        <FileChoices
          importer={importer}
          state={state}
          opened={opened}
          id={id}
          picked={picked}
          onPick={({ name }, use) => use && setPicked((before) => ({ ...before, [name]: use }))}
          onAnswer={() => {
            onAnswer();
            onShow(true);
          }}
        />
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
      {result.entries.length > 0 && ` In ${poundsText(income.pence)}, out ${poundsText(expense.pence)}.`}
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

/** Needs a confirmation before edits are lost. */
const mayRemove = ({ file, corrections: { size } }: FileState): boolean =>
  size === 0 || confirm(`Your changes to ${counted(size, 'row')} of ${file.name} will be lost.`);
