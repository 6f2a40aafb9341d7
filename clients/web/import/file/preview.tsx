/** The first rows of a file as they will become entries. An amount with an open direction has a question mark. */
import type { Question } from '../../../typescript/import/questions-and-answers.ts';
import { hasMinus } from '../../../typescript/import/values/amounts.ts';
import { dateText, poundsText } from '../../page/format.ts';
import { Scrolling } from '../../page/table.tsx';
import type { FileColumn } from '../column-uses.ts';
import type { FileState, ImportState, Use } from '../state.ts';

const ROWS = 6;
const HEADS = ['Date', 'Property', 'Category', 'In', 'Out', 'Description'] as const;

interface Props {
  opened: FileState;
  columns: readonly FileColumn[];
  state: ImportState;
  /** Undefined: the direction of the amounts is no choice. */
  onFlip: (() => void) | undefined;
}

export function FilePreview({ opened, columns, state, onFlip }: Props) {
  const rows = opened.problem ? refusedRows(opened, columns, state) : entriesShown(opened);
  if (rows.length === 0) return null;
  return (
    <div class="preview">
      <div class="row-between">
        <h4>The first rows as entries</h4>
        {onFlip && (
          <button type="button" class="small" onClick={onFlip}>
            Flip in and out
          </button>
        )}
      </div>
      <Scrolling class="sideways" label={`The first rows of ${opened.file.name} as entries`}>
        <table>
          <thead>
            <tr>
              {HEADS.map((head) => (
                <th key={head} scope="col" class={classOf(head)}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {HEADS.map((head, at) => (
                  <td key={head} class={classOf(head)}>
                    {row[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </div>
  );
}

const classOf = (head: (typeof HEADS)[number]) =>
  head === 'In' ? 'income' : head === 'Out' ? 'expense' : '';

/** The texts of a row, in the order of `HEADS`. */
type ShownRow = readonly string[];

const entriesShown = ({ result }: FileState): ShownRow[] =>
  (result?.entries ?? []).slice(0, ROWS).map(({ entry, source }) => {
    const { type, amountPence, category = '', description = '' } = entry;
    const label = source?.categories?.[type].find(({ key }) => key === category)?.label ?? category;
    const amount = poundsText(amountPence);
    const amounts = type === 'income' ? [amount, ''] : ['', amount];
    return [dateText(entry.date), source?.name ?? '', label, ...amounts, description];
  });

/** The texts of the file, at the places that are known so far. */
function refusedRows(
  { problem }: FileState,
  columns: readonly FileColumn[],
  { source }: ImportState,
): ShownRow[] {
  return (problem?.table?.sampleRows ?? []).slice(0, ROWS).map((row) => {
    const texts = (is: (column: FileColumn, text: string) => boolean, after = '') =>
      columns.flatMap((column) => {
        const text = row[column.index] ?? '';
        return text !== '' && is(column, text) ? text + after : [];
      });
    const textOfUse = (use: Use) => texts((column) => column.use === use).join(' ');
    const open = texts(({ use, questions }) => use === 'open' && questions.some(isOfSign), ' ?');
    const parts = (side: Use) => texts(({ part }) => part === side, ' ?');
    const side = (all: Use, isOut: boolean) =>
      [
        ...texts(
          ({ use }, text) =>
            use === all ||
            ((use === 'amount' ? hasMinus(text) : !hasMinus(text)) === isOut &&
              (use === 'amount' || use === 'spent')),
        ),
        ...parts(all),
        ...open,
      ].join(' + ');
    return [
      ...[textOfUse('date'), textOfUse('source') || (source?.name ?? ''), textOfUse('category')],
      ...[side('moneyIn', false), side('moneyOut', true), textOfUse('description')],
    ];
  });
}

const isOfSign = ({ kind }: Question) => kind === 'direction';
