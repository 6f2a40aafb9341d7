/** Rows that may be the total, a part or the other side of other rows: payments of their own, or none. */
import type { Meaning } from '../../../typescript/import/index.ts';
import { count, counted } from '../../page/format.ts';
import type { Importer } from '../importer.ts';
import type { FileState, ImportState } from '../state.ts';

const ROWS_SHOWN_MAX = 20;

export function Related({ importer, state: { files } }: { importer: Importer; state: ImportState }) {
  return (
    <>
      {files.map((of) => (
        <RelatedInFile key={of.file} importer={importer} of={of} isOnly={files.length === 1} />
      ))}
    </>
  );
}

interface FileProps {
  importer: Importer;
  of: FileState;
  isOnly: boolean;
}

function RelatedInFile({ importer, of: { file, result, parseOptions }, isOnly }: FileProps) {
  const open = result?.invalid.filter(({ option }) => option === 'rows') ?? [];
  if (open.length === 0) return null;
  const choose = (meaning: Meaning) => {
    const answers = Object.fromEntries(open.map(({ row }) => [row, meaning]));
    void importer.setParseOptions(file, { rows: { ...parseOptions.rows, ...answers } });
  };
  const rows = open.slice(0, ROWS_SHOWN_MAX).map(({ row }) => count(row));
  if (open.length > ROWS_SHOWN_MAX) rows.push('…');
  return (
    <div class="note warning" role="alert">
      <p>
        {!isOnly && `${file.name}: `}
        {counted(open.length, 'row', 'rows')} may be a total, a part or the other side of other rows:{' '}
        {rows.join(', ')}. Leave out the ones that are no payments.
      </p>
      <div class="actions">
        <button type="button" onClick={() => choose('skip')}>
          Leave them out
        </button>
        <button type="button" onClick={() => choose('keep')}>
          They are payments
        </button>
      </div>
    </div>
  );
}
