/**
 * Questions about single rows: rows of a file that share a reference of the bank, equal rows of two files, and rows that may be the total, a part
 * or the other side of other rows.
 */
import type { Meaning } from '../../../typescript/import/index.ts';
import { count, counted } from '../../page/format.ts';
import type { Importer, ViewProps } from '../importer.ts';
import type { FileState, ImportState } from '../state.ts';

/** The most rows of a question that are named. */
const RELATED_SHOWN_MAX = 20;

export function RowQuestions({ importer, state }: ViewProps) {
  const { files } = state;
  return (
    <>
      {files.map((opened) => (
        <RepeatedInFile key={opened.file} importer={importer} opened={opened} isOnly={files.length === 1} />
      ))}
      <Unnamed state={state} />
      {files.map((opened) => (
        <RelatedInFile key={opened.file} importer={importer} opened={opened} isOnly={files.length === 1} />
      ))}
    </>
  );
}

/** Without the names of the accounts, equal rows of two files may be one payment or two. */
export function Unnamed({ state: { merged } }: { state: ImportState }) {
  if (!merged.unnamed) return null;
  const { file, row, first } = merged.unnamed;
  return (
    <p class="note bad" role="alert">
      Row {count(row)} of {file} is equal to row {count(first.row)} of {first.file}, and neither file names
      its bank account. Name the account of each file under “Change” in the step File: the same name for files
      of one account.
    </p>
  );
}

interface FileProps {
  importer: Importer;
  opened: FileState;
  isOnly: boolean;
}

/** Rows that may be one payment twice. */
function RepeatedInFile({ importer, opened: { file, result, parseOptions }, isOnly }: FileProps) {
  const { repeated } = parseOptions;
  const open = result?.invalid.filter(({ option }) => option === 'repeated') ?? [];
  const choose = (repeated: typeof parseOptions.repeated) =>
    void importer.setParseOptions(file, { repeated });
  const name = isOnly ? '' : `${file.name}: `;
  if (repeated !== undefined) {
    return (
      <div class="row-between">
        <p class="hint">
          {name}
          {repeated === 'same'
            ? 'Equal rows with one reference of the bank are read as one payment.'
            : 'Rows with one reference of the bank are read as payments of their own.'}
        </p>
        <button type="button" class="quiet small" onClick={() => choose(undefined)}>
          Decide again
        </button>
      </div>
    );
  }
  if (open.length === 0) return null;
  return (
    <RowQuestion
      text={`${name}${counted(open.length, 'row is', 'rows are')} equal to a row above, or share its reference. Your bank may have listed a payment twice, or given several payments one reference.`}
      answers={[
        ['same', 'They are one payment'],
        ['another', 'They are payments of their own'],
      ]}
      onAnswer={choose}
    />
  );
}

/** Rows that may be no payments of their own. */
function RelatedInFile({ importer, opened: { file, result, parseOptions }, isOnly }: FileProps) {
  const open = result?.invalid.filter(({ option }) => option === 'rowMeanings') ?? [];
  if (open.length === 0) return null;
  const choose = (meaning: Meaning) => {
    const answers = Object.fromEntries(open.map(({ row }) => [row, meaning]));
    void importer.setParseOptions(file, { rowMeanings: { ...parseOptions.rowMeanings, ...answers } });
  };
  const rows = open.slice(0, RELATED_SHOWN_MAX).map(({ row }) => count(row));
  if (open.length > RELATED_SHOWN_MAX) rows.push('…');
  return (
    <RowQuestion
      text={`${isOnly ? '' : `${file.name}: `}${counted(open.length, 'row', 'rows')} may be a total, a part or the other side of other rows: ${rows.join(', ')}. Leave out the ones that are no payments.`}
      answers={[
        ['skip', 'Leave them out'],
        ['keep', 'They are payments'],
      ]}
      onAnswer={choose}
    />
  );
}

interface RowQuestionProps<Answer extends string> {
  text: string;
  answers: readonly (readonly [Answer, string])[];
  onAnswer: (answer: Answer) => void;
}

const RowQuestion = <Answer extends string>({ text, answers, onAnswer }: RowQuestionProps<Answer>) => (
  <div class="note warning" role="alert">
    <p>{text}</p>
    <div class="actions">
      {answers.map(([answer, name]) => (
        <button key={answer} type="button" onClick={() => onAnswer(answer)}>
          {name}
        </button>
      ))}
    </div>
  </div>
);

/** Asks before payments are stored a second time. @param found the payments that the books have, as a sentence */
export const confirmSecondStore = (found: string): boolean =>
  confirm(`${found} If they are the same payments, your figures count them twice. Import them?`);
