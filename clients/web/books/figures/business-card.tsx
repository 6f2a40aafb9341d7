/** The figures of a business by category, all its properties together and each by itself. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Days } from '../../../typescript/days.ts';
import type { AmountReading, FiguresLine } from '../../../typescript/figures/period-figures.ts';
import type { Quarter } from '../../../typescript/figures/periods.ts';
import { entriesAreLine } from '../../../typescript/import/rules/entries-are.ts';
import { EXAMPLE_ID, propertyIdLine, readPropertyId } from '../../../typescript/import/rules/property-ids.ts';
import { dateText, poundsText } from '../../page/format.ts';
import { TextList } from '../../page/text-list.tsx';
import { CategoryTable } from '../category-table.tsx';
import type { BusinessOfChoice, FiguresPart, FiguresRow } from './figures-of-choice.ts';
import { FigureButton, type FiguresPlace } from './opened-figure.tsx';

interface TableProps extends FiguresPlace {
  quarter: Quarter;
  /** The quarter, and the year so far. */
  periods: readonly Days[];
}

interface BusinessCardProps extends TableProps {
  business: BusinessOfChoice;
  /** Adds a line to the rules. Undefined while they cannot be changed. */
  onState: ((line: string) => void) | undefined;
  /** The entries of the opened figure. */
  children: ComponentChildren;
}

export function BusinessCard({ business, onState, children, ...table }: BusinessCardProps) {
  const { name, sources, parts, shareOpen, withoutId, refusals, notes } = business;
  return (
    <section class="card" aria-label={name}>
      <div class="books-heading">
        <h2>{name}</h2>
        <p class="hint">{sources}</p>
      </div>
      <FiguresTable {...table} of={business} caption={parts.length > 0 ? 'All together' : 'By category'} />
      {parts.length > 0 && (
        <details class="figures-parts">
          <summary>Each by itself</summary>
          {parts.map((part, index) => (
            <FiguresTable key={part.name + index} {...table} of={part} caption={part.name} />
          ))}
        </details>
      )}
      {children}
      {refusals.length > 0 && (
        <TextList class="figures-notes figures-refused note warning" texts={refusals} />
      )}
      {shareOpen.map((source) => (
        <ShareQuestion key={source} source={source} onState={onState} />
      ))}
      {withoutId.map((source) => (
        <PropertyId key={source} source={source} onState={onState} />
      ))}
      <TextList class="figures-notes hint" texts={notes} />
    </section>
  );
}

interface StateProps extends Pick<BusinessCardProps, 'onState'> {
  source: string;
}

const SAID = { share: 'They are my share', whole: 'They are of the whole' } as const;

/** The question about the entries of a jointly held source. The answer is a line of the rules. */
function ShareQuestion({ source, onState }: StateProps) {
  return (
    <fieldset class="figures-said">
      <legend>Are the entries of {source} of the whole, or your share already?</legend>
      {(['share', 'whole'] as const).map((each) => (
        <button
          key={each}
          type="button"
          class="small"
          disabled={onState === undefined}
          aria-label={`${source}: ${SAID[each]}`}
          onClick={() => onState?.(entriesAreLine(source, each))}
        >
          {SAID[each]}
        </button>
      ))}
    </fieldset>
  );
}

/** The question about HMRC's id of a property abroad. The answer is a line of the rules. */
function PropertyId({ source, onState }: StateProps) {
  const [text, setText] = useState('');
  const id = readPropertyId(text);
  const label = `HMRC's id of ${source}`;
  return (
    <div class="figures-said">
      <label>
        {label}{' '}
        <input
          size={36}
          placeholder={EXAMPLE_ID}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button
        type="button"
        class="small"
        aria-label={`Keep ${label}`}
        disabled={!onState || id === undefined}
        onClick={() => id !== undefined && onState?.(propertyIdLine(source, id))}
      >
        Keep
      </button>
    </div>
  );
}

function FiguresTable({
  of,
  caption,
  periods,
  quarter,
  ...cell
}: TableProps & { of: FiguresPart; caption: string }) {
  const [inQuarter, soFar] = periods as [Days, Days];
  const names: [string, string] = [`Quarter ${quarter}`, `Since ${dateText(soFar.from)}`];
  return (
    <CategoryTable
      caption={caption}
      class="sums figures"
      columns={names}
      rows={of.rows}
      foot={<TotalRows totals={of.totals} names={names} />}
    >
      {(row) => (
        <tr key={row.category}>
          <th scope="row">
            {row.name} <FieldName row={row} />
          </th>
          {row.lines.map((line, index) => (
            <td key={names[index]}>
              {line ? (
                <AmountOf
                  {...cell}
                  line={line}
                  readings={of.readings}
                  name={`${of.name}, ${row.name}, ${dateText((index === 0 ? inQuarter : soFar).from)} to ${dateText(inQuarter.to)}`}
                />
              ) : (
                <span class="figures-zero">{poundsText(0)}</span>
              )}
            </td>
          ))}
        </tr>
      )}
    </CategoryTable>
  );
}

function TotalRows({ totals, names }: Pick<FiguresPart, 'totals'> & { names: readonly string[] }) {
  return (
    <tfoot>
      {totals.map(({ label, periods }) => (
        <tr key={label} class="figures-total">
          <th scope="row">{label}</th>
          {periods.map(([main = 0n, ...shares], index) => (
            <td key={names[index]}>
              {poundsText(main)}
              {shares.map((share) => (
                <div key="share" class="hint figures-share">
                  your share {poundsText(share)}
                </div>
              ))}
            </td>
          ))}
        </tr>
      ))}
    </tfoot>
  );
}

/** HMRC's name, which breaks where it has a capital letter. */
const FieldName = ({ row: { field = 'no field in the summary' } }: { row: FiguresRow }) => (
  <span class="hint figures-field">
    {field.split(/(?=[A-Z])/).flatMap((word, index) => (index === 0 ? [word] : [<wbr key={index} />, word]))}
  </span>
);

interface AmountProps extends FiguresPlace {
  line: FiguresLine;
  readings: readonly AmountReading[];
  name: string;
}

function AmountOf({ line, readings, name, ...place }: AmountProps) {
  const { penceIfWhole, statedPence, refundPence, refundPenceIfWhole, ids, refundIds } = line;
  const [main = 'penceIfWhole'] = readings;
  const refunds = main === 'penceIfWhole' ? refundPenceIfWhole : refundPence;
  return (
    <>
      <FigureButton
        {...place}
        name={name}
        ids={[...ids, ...refundIds]}
        label={`${poundsText(line[main])}, ${name}`}
      >
        {poundsText(line[main])}
      </FigureButton>
      {statedPence !== 0n && <div class="hint figures-share">with stated sum {poundsText(statedPence)}</div>}
      {refundPence > 0n && <div class="hint figures-share">less refunds {poundsText(refunds)}</div>}
      {readings.length > 1 && <div class="hint figures-share">your share {poundsText(penceIfWhole)}</div>}
    </>
  );
}
