/** Entries of the file beside the stored entries with the same reference. */
import type { NewTransaction } from '../../../typescript/import/index.ts';
import type { CategorySet, Ledger, Transaction } from '../../../typescript/index.ts';
import { capitalised, counted, dateText, pounds } from '../../page/format.ts';

export interface Pair {
  row: number;
  entry: NewTransaction;
  id: string;
  fields: readonly string[];
}

interface Props {
  pairs: readonly Pair[];
  /** By id; undefined while they are read. */
  stored: ReadonlyMap<string, Transaction> | undefined;
  categories: CategorySet | undefined;
}

const SHOWN_MAX = 200;

const FIELDS = [
  { field: 'date', name: 'Date' },
  { field: 'description', name: 'Description' },
  { field: 'type', name: 'Type' },
  { field: 'amountPence', name: 'Amount' },
  { field: 'category', name: 'Category' },
] as const;

export function Conflicts({ pairs, stored, categories }: Props) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to */}
      <section class="wide-table" tabIndex={0} aria-label="Conflicts">
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Where</th>
              {FIELDS.map(({ field, name }) => (
                <th key={field} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          {pairs.slice(0, SHOWN_MAX).map(({ row, entry, id, fields }) => (
            <tbody key={id}>
              <tr>
                <th scope="rowgroup" rowSpan={2}>
                  {row}
                </th>
                <th scope="row">File</th>
                <Cells of={entry} fields={fields} categories={categories} />
              </tr>
              <tr>
                <th scope="row">Books</th>
                {stored ? (
                  <Cells of={stored.get(id)} fields={fields} categories={categories} />
                ) : (
                  <td colSpan={FIELDS.length}>reading…</td>
                )}
              </tr>
            </tbody>
          ))}
        </table>
      </section>
      {pairs.length > SHOWN_MAX && (
        <p class="hint">
          {counted(pairs.length - SHOWN_MAX, 'more conflict is', 'more conflicts are')} in the report.
        </p>
      )}
    </>
  );
}

interface CellsProps extends Pick<Props, 'categories'> {
  of: NewTransaction | Transaction | undefined;
  fields: readonly string[];
}

function Cells({ of: entry, fields, categories }: CellsProps) {
  if (!entry) return <td colSpan={FIELDS.length}>not found in your books</td>;
  const { date, description, type, amountPence, category } = entry;
  const label = categories?.[type].find(({ key }) => key === category)?.label;
  const texts = {
    date: dateText(date),
    description: description ?? 'none',
    type: capitalised(type),
    amountPence: pounds(amountPence),
    category: label ?? category ?? 'To be sorted in the app',
  };
  return (
    <>
      {FIELDS.map(({ field }) => (
        <td key={field}>{fields.includes(field) ? <mark>{texts[field]}</mark> : texts[field]}</td>
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
  sourceIds: readonly string[],
  ids: ReadonlySet<string>,
): Promise<Map<string, Transaction>> {
  const found = new Map<string, Transaction>();
  for (const sourceId of sourceIds) {
    if (found.size === ids.size) break;
    for await (const each of ledger.transactions(sourceId)) {
      if (!ids.has(each.id)) continue;
      found.set(each.id, each);
      if (found.size === ids.size) break;
    }
  }
  return found;
}
