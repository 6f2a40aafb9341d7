/** The File step: the source, the file by drop, picker or paste, and how it was read. */
import { useRef, useState } from 'preact/hooks';
import { keptChoicesOf } from '../../../typescript/import/rules/kept-choices.ts';
import type { Source } from '../../../typescript/index.ts';
import { sourceTypeName } from '../../key/session.ts';
import { Announcement } from '../../page/announcement.tsx';
import { FileButton } from '../../page/file-button.tsx';
import { counted, fileName } from '../../page/format.ts';
import { Options } from '../../page/options.tsx';
import { StepHeading } from '../../page/step-heading.tsx';
import { Unnamed } from '../check/row-questions.tsx';
import { Rules } from '../check/rules.tsx';
import { UnreadSheets } from '../check/unread-sheets.tsx';
import type { Importer, ViewProps } from '../importer.ts';
import { unlessInvalid } from '../kept-lines.ts';
import { workbooksOf } from '../sheets.ts';
import type { GivenFile, ImportState } from '../state.ts';
import { FileCard } from './file-card.tsx';

interface Props extends ViewProps {
  sources: readonly Source[];
}

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.ofx,.qfx,.xml,.qif';
const MIB_MAX = 10;
const BY_RULES = 'by-rules';

export function FileStep({ importer, state, sources }: Props) {
  const { source, isByRules, files, merged, isBusy, failure } = state;
  const areRead = files.length > 0 && files.every(({ result, problem }) => result && !problem);
  const isChosen = source !== undefined || isByRules;
  const [isSourceMissing, setSourceMissing] = useState(false);
  // Of several files, the first one with a problem, and the last one that a person has worked on: the step stays low.
  const withProblem = files.find(({ problem }) => problem);
  const [{ shown, hidden }, setShown] = useState<{ shown?: GivenFile; hidden?: GivenFile }>({});
  const show = (file: GivenFile, isShown: boolean) => setShown(isShown ? { shown: file } : { hidden: file });
  const next = () => {
    if (!isChosen) {
      setSourceMissing(true);
      document.getElementById('source')?.focus();
    } else importer.go('check');
  };
  return (
    <div class="stack file-step">
      <section class="card" aria-labelledby="step-title">
        <StepHeading>Choose a property or business and files</StepHeading>
        <div class="field source">
          <label for="source">Import into</label>
          <select
            id="source"
            value={isByRules ? BY_RULES : (source?.id ?? '')}
            aria-invalid={isSourceMissing && !isChosen}
            aria-describedby="source-problem"
            onChange={({ currentTarget: { value } }) =>
              importer.chooseSource(value === BY_RULES ? '' : value)
            }
          >
            <option value="" disabled>
              Choose one…
            </option>
            {sources.length > 1 && (
              <option value={BY_RULES}>Several – my rules or a column of the file say which</option>
            )}
            <Options of={sources.map((each) => [each.id, nameWithType(each)])} />
          </select>
          <p id="source-problem" class="problem">
            {isSourceMissing && !isChosen
              ? 'Choose the property or business that the entries belong to.'
              : failure}
          </p>
        </div>
        <FileChooser importer={importer} isChosen={files.length > 0} />
      </section>
      {files.length > 0 && (
        <section class="card files" aria-label="Chosen files">
          {files.map((opened, index) => (
            <FileCard
              key={opened.file}
              importer={importer}
              state={state}
              opened={opened}
              isShown={opened.file === shown || (opened === withProblem && opened.file !== hidden)}
              onShow={(isShown) => show(opened.file, isShown)}
              id={`file-${index + 1}`}
            />
          ))}
          <UnreadSheets workbooks={workbooksOf(files)} imported={state.imported} importer={importer} />
          <AccountNames state={state} />
          <Unnamed state={state} />
        </section>
      )}
      {files.some(({ problem }) => problem?.option === 'rules') && (
        <section class="card" aria-label="Rules">
          <Rules importer={importer} state={state} suggestions={[]} />
        </section>
      )}
      <Announcement text={isBusy ? '' : announcementOf(state)} />
      {areRead && !merged.unnamed && (
        <div class="actions end">
          <button type="button" class="primary" onClick={next}>
            Check the rows
          </button>
        </div>
      )}
    </div>
  );
}

/** `Villa Sol – Overseas property, ES` */
const nameWithType = ({ name, type, countryCode }: Source) =>
  [`${name} – ${sourceTypeName(type)}`, countryCode].filter(Boolean).join(', ');

function announcementOf({ files, merged }: ImportState): string {
  const problem = files.find(({ problem }) => problem)?.problem;
  if (problem) return problem.message;
  if (files.length === 0) return '';
  const were = files.length === 1 ? 'The file was' : `${counted(files.length, 'file')} were`;
  return `${were} read: ${counted(merged.entries.length, 'entry', 'entries')}.`;
}

function FileChooser({ importer, isChosen }: { importer: Importer; isChosen: boolean }) {
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState('');
  const open = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const large = files.find(({ size }) => size > MIB_MAX * 1024 * 1024);
    if (large) {
      setProblem(
        `${fileName(large)} has more than ${MIB_MAX} MiB. Split it into smaller ones, or use the command ledger.`,
      );
      return;
    }
    setProblem('');
    let read: GivenFile[];
    try {
      read = await Promise.all(
        files.map(async (file) => ({
          name: fileName(file),
          bytes: new Uint8Array(await file.arrayBuffer()),
        })),
      );
    } catch {
      setProblem(
        'The browser cannot read these: choose files instead of a folder, and choose changed files again.',
      );
      return;
    }
    await importer.addFiles(read);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard */}
      <div
        class={`drop${isOver ? ' over' : ''}${isChosen ? ' chosen' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void open([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <p class="drop-title">
          {isChosen ? 'Drop more files here' : 'Drop bank exports or spreadsheets here'}
        </p>
        <FileButton label="Files" accept={ACCEPTED} multiple onChoose={(files) => void open(files)}>
          {isChosen ? 'Choose more files' : 'Choose files'}
        </FileButton>
        <p class="hint">
          CSV, Excel (.xlsx), OFX, QFX, CAMT.053 (.xml), QIF or JSON. Files are read here, in your browser.
        </p>
        <p class="problem" role="alert">
          {problem}
        </p>
      </div>
      <Paste
        onPaste={(text) => {
          setProblem('');
          return importer.addFiles([{ name: 'pasted text', bytes: new TextEncoder().encode(text) }]);
        }}
      />
    </>
  );
}

function Paste({ onPaste }: { onPaste: (text: string) => unknown }) {
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <details>
      <summary>Paste rows instead</summary>
      <div class="field">
        <label for="pasted">Rows, with their header</label>
        <textarea id="pasted" ref={field} spellcheck={false} placeholder={'Date\tDescription\tAmount'} />
      </div>
      <p class="hint">
        If you keep these rows in a spreadsheet, choose its file instead. HMRC does not accept copying and
        pasting to move digital records: a file is a digital link, pasted rows are not.
      </p>
      <button type="button" onClick={() => field.current?.value.trim() && onPaste(field.current.value)}>
        Read these rows
      </button>
    </details>
  );
}

/** The names of bank accounts that the rules and the open files have, for the fields that ask for one. */
function AccountNames({ state: { categorising, closings, files } }: { state: ImportState }) {
  const kept = unlessInvalid(() => keptChoicesOf(categorising.rules)) ?? [];
  const names = new Set([
    ...closings.keys(),
    ...kept.flatMap(({ accounts }) => accounts),
    ...files.flatMap(({ balances }) => balances.map(({ account }) => account)),
  ]);
  return (
    <datalist id="account-names">
      {[...names].filter(Boolean).map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
