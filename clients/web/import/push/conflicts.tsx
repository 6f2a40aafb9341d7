/** Entries of the file beside the stored entries with the same reference. */

import type { CorrectedField, NewTransaction } from '../../../typescript/import/index.ts';
import type { Ledger, Source, Transaction } from '../../../typescript/index.ts';
import type { StoredEntry } from '../../../typescript/match/stored-books.ts';
import { capitalised, counted, dateText, poundsText } from '../../page/format.ts';
import { HeadRow, Scrolling } from '../../page/table.tsx';
import { shownCategory } from '../categories.ts';
import { FIELD_LABELS, ROW_FIELDS } from '../check/field-texts.ts';
import type { ImportState } from '../state.ts';

interface ShownConflict {
  /** The row, with its file if there are several. */
  rowLabel: string;
  /** The property or business of the row. */
  source: Pick<Source, 'id'> | undefined;
  entry: NewTransaction;
  id: string;
  fields: readonly string[];
}

interface Props {
  pairs: readonly ShownConflict[];
  /** By id; undefined while they are read. */
  stored: ReadonlyMap<string, StoredEntry> | undefined;
  state: ImportState;
}

const SHOWN_MAX = 200;

export function Conflicts({ pairs, stored, state }: Props) {
  return (
    <>
      <Scrolling class="wide-table" label="Rows that differ from the books">
        <table>
          <HeadRow names={['Row', 'Where', ...Object.values(FIELD_LABELS)]} />
          {pairs.slice(0, SHOWN_MAX).map(({ rowLabel, source, entry, id, fields }) => {
            const found = stored?.get(id);
            return (
              <tbody key={id}>
                <tr>
                  <th scope="rowgroup" rowSpan={2}>
                    {rowLabel}
                  </th>
                  <th scope="row">File</th>
                  <ConflictCells entry={entry} sourceId={source?.id} fields={fields} state={state} />
                </tr>
                <tr>
                  <th scope="row">Books</th>
                  {found ? (
                    <ConflictCells
                      entry={found.stored}
                      sourceId={found.source.id}
                      fields={fields}
                      state={state}
                    />
                  ) : (
                    <td colSpan={ROW_FIELDS.length}>{stored ? 'not found in your books' : 'reading…'}</td>
                  )}
                </tr>
              </tbody>
            );
          })}
        </table>
      </Scrolling>
      {pairs.length > SHOWN_MAX && (
        <p class="hint">{counted(pairs.length - SHOWN_MAX, 'more row is', 'more rows are')} in the report.</p>
      )}
    </>
  );
}

interface CellsProps extends Pick<Props, 'state'> {
  entry: NewTransaction | Transaction;
  sourceId: string | undefined;
  fields: readonly string[];
}

function ConflictCells({ entry, sourceId, fields, state }: CellsProps) {
  const { date, description, type, amountPence, category } = entry;
  const source = state.sources.find(({ id }) => id === sourceId);
  const texts: Record<CorrectedField, string> = {
    date: dateText(date),
    description: description ?? 'none',
    type: capitalised(type),
    amount: poundsText(amountPence),
    source: source?.name ?? '',
    category: shownCategory(state, sourceId, type, category),
  };
  const isMarked = (field: CorrectedField) => fields.includes(field === 'amount' ? 'amountPence' : field);
  return (
    <>
      {ROW_FIELDS.map((field) => (
        <td key={field}>{isMarked(field) ? <mark>{texts[field]}</mark> : texts[field]}</td>
      ))}
    </>
  );
}

/**
 * The stored entries with these ids. The sources are read one after the other until all are found.
 * @throws LedgerError
 */
export async function readStored(
  ledger: Ledger,
  sources: readonly Source[],
  ids: ReadonlySet<string>,
): Promise<Map<string, StoredEntry>> {
  const found = new Map<string, StoredEntry>();
  for (const source of sources) {
    if (found.size === ids.size) break;
    for await (const stored of ledger.transactions(source.id)) {
      if (!ids.has(stored.id)) continue;
      found.set(stored.id, { source, stored });
      if (found.size === ids.size) break;
    }
  }
  return found;
}
