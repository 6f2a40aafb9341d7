/** The ways to give the page a file: by drop, by picker, or as pasted rows. */
import { useRef, useState } from 'preact/hooks';
import { FileButton } from '../../page/file-button.tsx';
import { fileName } from '../../page/format.ts';
import type { Importer } from '../importer.ts';
import type { GivenFile } from '../state.ts';

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.ofx,.qfx,.xml,.qif';
const MIB_MAX = 10;

export function FileChooser({ importer, hasFiles }: { importer: Importer; hasFiles: boolean }) {
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState('');
  const add = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const read = await readChosen(files);
    setProblem('problem' in read ? read.problem : '');
    if ('files' in read) await importer.addFiles(read.files);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard */}
      <div
        class={`drop${isOver ? ' over' : ''}${hasFiles ? ' chosen' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void add([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <p class="drop-title">
          {hasFiles ? 'Drop more files here' : 'Drop bank exports or spreadsheets here'}
        </p>
        <FileButton label="Files" accept={ACCEPTED} multiple onChoose={(files) => void add(files)}>
          {hasFiles ? 'Choose more files' : 'Choose files'}
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

/** The contents of files, or the reason why the page takes none of them. */
async function readChosen(files: readonly File[]): Promise<{ files: GivenFile[] } | { problem: string }> {
  const large = files.find(({ size }) => size > MIB_MAX * 1024 * 1024);
  if (large) {
    return {
      problem: `${fileName(large)} has more than ${MIB_MAX} MiB. Split it into smaller ones, or use the command ledger.`,
    };
  }
  try {
    const read = files.map(async (file) => ({
      name: fileName(file),
      bytes: new Uint8Array(await file.arrayBuffer()),
    }));
    return { files: await Promise.all(read) };
  } catch {
    return {
      problem:
        'The browser cannot read these: choose files instead of a folder, and choose changed files again.',
    };
  }
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
