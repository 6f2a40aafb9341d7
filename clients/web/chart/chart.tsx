/** A bar chart of income and expense by month, with a table of the same numbers. */
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useSize } from '../page/browser.ts';
import { monthText, poundsText } from '../page/format.ts';
import { HeadRow, Scrolling } from '../page/table.tsx';
import { groupedMonths, type Month, sumOfPeriods, tableMonths } from './months.ts';
import { barName, chartInWords, periodName } from './period-text.ts';

interface ChartProps {
  /** The months with entries, oldest first. */
  months: readonly Month[];
  /** A low chart beside the totals: it has the sums of the pointed period only. */
  isStrip?: boolean;
}

const BAR_SPACE = 9;
const HEIGHT_MAX = 400;
const DARK = matchMedia('(prefers-color-scheme: dark)');

export function Chart({ months, isStrip = false }: ChartProps) {
  const figure = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const income = useRef<HTMLSpanElement>(null);
  const expense = useRef<HTMLSpanElement>(null);
  const size = useSize(place);
  const grouping = useMemo(
    () => groupedMonths(months, Math.max(12, Math.floor(size.width / BAR_SPACE))),
    [months, size.width],
  );
  const { periods, length } = grouping;
  const { pointed, isFailed } = useBars({ figure, place, income, expense }, size, grouping);
  const shown = pointed === undefined ? undefined : periods[pointed];
  const sums = shown ?? (isStrip ? undefined : sumOfPeriods(periods));
  return (
    <figure class={isStrip ? 'chart strip' : 'chart'} ref={figure}>
      <figcaption>
        <span class="chart-title">Income and expense by {periodName(length)}</span>
        <span class="chart-period">{shown ? barName(shown, length) : sums && 'Total'}</span>
        <span class="chart-legend">
          <span>
            <span class="chart-key income" ref={income} aria-hidden="true">
              ▲
            </span>{' '}
            Income {sums && <b>{poundsText(sums.income)}</b>}
          </span>
          <span>
            <span class="chart-key expense" ref={expense} aria-hidden="true">
              ▼
            </span>{' '}
            Expense {sums && <b>{poundsText(sums.expense)}</b>}
          </span>
        </span>
      </figcaption>
      <div class="chart-place" ref={place}>
        {periods.length === 0 && <p class="hint">There are no entries to show.</p>}
        {isFailed && <p class="hint">The chart could not be loaded. The table has the same numbers.</p>}
      </div>
      {length > 1 && (
        <p class="hint">
          Months would be too narrow here: each bar is a {periodName(length)}. The table has every month.
        </p>
      )}
      {periods.length > 0 && <MonthTable months={months} />}
    </figure>
  );
}

type Elements = Record<'figure' | 'place' | 'income' | 'expense', RefObject<HTMLElement | null>>;

/**
 * Draws the bars into `place`, in the colours of the other elements, and again when the size, the months or the colours change.
 * @returns the index of the period that is pointed at, and whether the code that draws could not be loaded
 */
function useBars(
  { figure, place, income, expense }: Elements,
  { width, height }: ReturnType<typeof useSize>,
  grouping: ReturnType<typeof groupedMonths>,
) {
  const isDark = useDark();
  const [pointed, setPointed] = useState<number>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    if (width === 0 || grouping.periods.length === 0) return;
    let isCurrent = true;
    let remove: (() => void) | undefined;
    import('./bars.ts').then(
      ({ drawBars }) => {
        if (!isCurrent || !place.current || !figure.current) return;
        const text = getComputedStyle(figure.current);
        remove = drawBars(place.current, {
          grouping,
          width,
          height: Math.min(height, HEIGHT_MAX),
          label: chartInWords(grouping),
          colours: {
            income: colourOf(income.current),
            expense: colourOf(expense.current),
            text: text.color,
            line: text.borderColor,
            zero: text.outlineColor,
          },
          font: `${text.fontSize} ${text.fontFamily}`,
          onPoint: setPointed,
        });
      },
      () => setFailed(true),
    );
    return () => {
      isCurrent = false;
      remove?.();
      setPointed(undefined);
    };
  }, [grouping, width, height, isDark]);
  return { pointed, isFailed };
}

/** Its rows are made when it is opened. */
function MonthTable({ months }: Pick<ChartProps, 'months'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="chart-table" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen && (
        <Scrolling class="chart-scroll" label="Income and expense by month">
          <table class="sums">
            <HeadRow names={['Month', 'Income', 'Expense', 'Net']} />
            <tbody>
              {tableMonths(months).map(({ month, ...sums }) => (
                <SumsRow key={month} name={monthText(month)} sums={sums} />
              ))}
            </tbody>
            <tfoot>
              <SumsRow name="Total" sums={sumOfPeriods(months)} />
            </tfoot>
          </table>
        </Scrolling>
      )}
    </details>
  );
}

function SumsRow({ name, sums: { income, expense } }: { name: string; sums: Omit<Month, 'month'> }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{poundsText(income)}</td>
      <td>{poundsText(expense)}</td>
      <td>{poundsText(income - expense)}</td>
    </tr>
  );
}

const colourOf = (element: Element | null) => (element ? getComputedStyle(element).color : '');

function useDark(): boolean {
  const [isDark, setDark] = useState(DARK.matches);
  useEffect(() => {
    const change = () => setDark(DARK.matches);
    DARK.addEventListener('change', change);
    return () => DARK.removeEventListener('change', change);
  }, []);
  return isDark;
}
