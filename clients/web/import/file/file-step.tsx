/** The File step: the source, the file by drop, picker or paste, and how it was read. */
import { useRef, useState } from 'preact/hooks';
import type { Source } from '../../../typescript/index.ts';
import { sourceTypeName } from '../../key/session.ts';
import { Announcement } from '../../page/announcement.tsx';
import { counted } from '../../page/format.ts';
import { StepHeading } from '../../page/step-heading.tsx';
import { Categories } from '../check/categories.tsx';
import type { Importer } from '../importer.ts';
import type { ImportFile, ImportState } from '../state.ts';
import { ReadingOf } from './reading.tsx';

interface Props {
  importer: Importer;
  state: ImportState;
  sources: readonly Source[];
}

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.ofx,.qfx,.xml,.qif';
const MIB_MAX = 10;
const BY_RULES = 'by-rules';

export function FileStep({ importer, state, sources }: Props) {
  const { source, isByRules, file, result, problem, isBusy, failure } = state;
  const isChosen = source !== undefined || isByRules;
  const [isSourceMissing, setSourceMissing] = useState(false);
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
            {sources.map(({ id, name, type, countryCode }) => (
              <option key={id} value={id}>
                {name} – {sourceTypeName(type)}
                {countryCode ? `, ${countryCode}` : ''}
              </option>
            ))}
          </select>
          <p id="source-problem" class="problem">
            {isSourceMissing && !isChosen
              ? 'Choose the property or business that the entries belong to.'
              : failure}
          </p>
        </div>
        <FileChooser importer={importer} state={state} />
        <Waiting importer={importer} state={state} />
      </section>
      {file && <ReadingOf key={file} importer={importer} state={state} />}
      {problem?.option === 'rules' && (
        <section class="card" aria-label="Rules">
          <Categories importer={importer} state={state} suggestions={[]} />
        </section>
      )}
      <Announcement text={isBusy ? '' : announcementOf(state)} />
      {result && !problem && (
        <div class="actions end">
          <button type="button" class="primary" onClick={next}>
            Check the rows
          </button>
        </div>
      )}
    </div>
  );
}

function announcementOf({ result, problem }: ImportState): string {
  if (problem) return problem.message;
  return result ? `The file was read: ${counted(result.entries.length, 'entry', 'entries')}.` : '';
}

/** The files that come after this one. */
function Waiting({ importer, state: { file, waiting } }: Omit<Props, 'sources'>) {
  if (waiting.length === 0) return null;
  return (
    <div class="row-between">
      <p class="hint">Then: {waiting.map(({ name }) => name).join(', ')}</p>
      <button type="button" class="quiet small" onClick={() => void importer.openNext()}>
        Leave out {file?.name}
      </button>
    </div>
  );
}

function FileChooser({ importer, state }: Omit<Props, 'sources'>) {
  const fileName = state.file?.name;
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState('');
  const picker = useRef<HTMLInputElement>(null);
  const open = async (list: FileList | undefined | null) => {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    const large = files.find(({ size }) => size > MIB_MAX * 1024 * 1024);
    if (large) {
      setProblem(
        `${large.name} has more than ${MIB_MAX} MiB. Split it into smaller ones, or use the command ledger.`,
      );
      return;
    }
    if (!mayReplace(state)) return;
    setProblem('');
    let read: ImportFile[];
    try {
      read = await Promise.all(
        files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
      );
    } catch {
      setProblem('The browser cannot read these files. Choose them again.');
      return;
    }
    const [first, ...waiting] = read;
    if (first) await importer.openFile(first, waiting);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard */}
      <div
        class={`drop${isOver ? ' over' : ''}${fileName ? ' chosen' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void open(event.dataTransfer?.files);
        }}
      >
        <p class="drop-title">
          {fileName ? <strong>{fileName}</strong> : 'Drop bank exports or spreadsheets here'}
        </p>
        <button type="button" onClick={() => picker.current?.click()}>
          {fileName ? 'Choose other files' : 'Choose files'}
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          accept={ACCEPTED}
          aria-label="Files"
          tabIndex={-1}
          class="sr-only"
          onChange={(event) => {
            void open(event.currentTarget.files);
            // The same file can then be chosen again.
            event.currentTarget.value = '';
          }}
        />
        <p class="hint">
          CSV, Excel (.xlsx), OFX, QFX, CAMT.053 (.xml), QIF, JSON or NDJSON. Files are read here, in your
          browser.
        </p>
        <p class="problem" role="alert">
          {problem}
        </p>
      </div>
      <Paste
        onPaste={(text) =>
          mayReplace(state) &&
          importer.openFile({ name: 'pasted text', bytes: new TextEncoder().encode(text) })
        }
      />
    </>
  );
}

/** Needs a confirmation before edits or files that wait are lost. */
function mayReplace({ corrections, sending, file, waiting }: ImportState): boolean {
  const isEdited = corrections.size > 0 && sending?.status !== 'done';
  const lost = [
    ...(isEdited
      ? [`Your changes to ${counted(corrections.size, 'row')} of ${file?.name} will be lost.`]
      : []),
    ...(waiting.length > 0 ? [`${counted(waiting.length, 'file')} will not be imported.`] : []),
  ];
  return lost.length === 0 || confirm(lost.join('\n'));
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
      <button type="button" onClick={() => field.current?.value.trim() && onPaste(field.current.value)}>
        Read these rows
      </button>
    </details>
  );
}
