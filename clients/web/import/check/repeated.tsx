/** Rows that share a reference of the bank: whether they are one payment or several is for the person to say. */
import { counted } from '../../page/format.ts';
import type { Importer } from '../importer.ts';
import type { ImportState } from '../state.ts';

export function Repeated({ importer, state }: { importer: Importer; state: ImportState }) {
  const { result, reading } = state;
  const { repeated } = reading;
  const open = result?.invalid.filter(({ option }) => option === 'repeated') ?? [];
  const choose = (repeated: typeof reading.repeated) => void importer.setReading({ repeated });
  if (repeated !== undefined) {
    return (
      <div class="row-between">
        <p class="hint">
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
    <div class="note warning" role="alert">
      <p>
        {counted(open.length, 'row is', 'rows are')} equal to a row above, or share its reference. Your bank
        may have listed a payment twice, or given several payments one reference.
      </p>
      <div class="actions">
        <button type="button" onClick={() => choose('same')}>
          They are one payment
        </button>
        <button type="button" onClick={() => choose('another')}>
          They are payments of their own
        </button>
      </div>
    </div>
  );
}
