/** Amounts in other currencies: the file of rates that a person chooses, and the rows that it converts. */
import { useState } from 'preact/hooks';
import { groupBy } from '../../../typescript/group-by.ts';
import { FileButton, textBytes } from '../../page/file-button.tsx';
import { counted, fileName } from '../../page/format.ts';
import type { ViewProps } from '../importer.ts';
import type { FileState } from '../state.ts';
import { convertedRows, rowsWithoutRate } from './converted-rows.ts';

const RATES_BYTES_MAX = 1_000_000;

interface Props extends ViewProps {
  /** The file that the question is about; by default, all files. */
  opened?: FileState;
}

/** Nothing, unless a row needs a rate or a file of rates is chosen. */
export function Rates({ importer, state, opened }: Props) {
  const { rates, isBusy } = state;
  const files = opened ? [opened] : state.files;
  const [unreadable, setUnreadable] = useState('');
  const problem = files.find(({ problem }) => problem?.option === 'rates')?.problem;
  const results = files.flatMap(({ result }) => result ?? []);
  const without = results.reduce((sum, result) => sum + rowsWithoutRate(result), 0);
  const converted = rates && !problem ? convertedRows(results) : [];
  if (!problem && without === 0 && (opened ? converted.length === 0 : !rates)) return null;
  const load = async (file: File) => {
    const bytes = await textBytes(file, RATES_BYTES_MAX);
    setUnreadable(
      bytes ? '' : `${fileName(file)} is not a text in UTF-8 of at most 1 MB. Choose a file of rates.`,
    );
    if (bytes) await importer.setRates({ name: fileName(file), bytes });
  };
  return (
    <section
      class={opened ? 'note' : 'card'}
      aria-label={opened ? `Other currencies in ${opened.file.name}` : 'Other currencies'}
      aria-busy={isBusy}
    >
      <div class="row-between">
        <h3>Other currencies</h3>
        <div class="actions">
          <FileButton
            class="small"
            label="File of rates"
            accept=".csv,.txt,text/csv"
            onChoose={([file]) => void load(file)}
          >
            {rates ? 'Choose other rates' : 'Choose a file of rates'}
          </FileButton>
          {rates && (
            <button type="button" class="quiet small" onClick={() => void importer.setRates(undefined)}>
              Remove the rates
            </button>
          )}
        </div>
      </div>
      {rates && !problem && <p>{convertedText(converted, rates.name)}</p>}
      {without > 0 && <p>{counted(without, 'row needs', 'rows need')} a rate.</p>}
      <p class="problem" role="alert">
        {unreadable || (rates && problem?.message)}
      </p>
      <p class="hint">
        The books are in pounds. Your rates convert other amounts: a CSV file with the columns month or date,
        currency, and pounds per unit or units per pound. No rate is fetched.
      </p>
    </section>
  );
}

/** `71 rows in EUR, converted to pounds by rates.csv.` */
function convertedText(currencies: readonly string[], name: string): string {
  const rows = [...groupBy(currencies, (currency) => currency)].map(
    ([currency, { length }]) => `${counted(length, 'row')} in ${currency}`,
  );
  return rows.length === 0
    ? `${name} converts no row.`
    : `${rows.join(', ')}, converted to pounds by ${name}.`;
}
