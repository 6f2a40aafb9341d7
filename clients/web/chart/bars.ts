/** Draws the bars by uPlot: income upwards, expense downwards. Loaded when the first chart is shown. */
import UPlot from 'uplot';
import { type Grouping, monthsSinceZero } from './months.ts';
import { amountTicks, tickText } from './period-text.ts';

interface BarsOptions {
  grouping: Grouping;
  width: number;
  height: number;
  /** Of the canvas, for people who do not see it. */
  label: string;
  colours: Record<'income' | 'expense' | 'text' | 'line' | 'zero', string>;
  /** CSS font of the axes. */
  font: string;
  /** The period under the pointer; undefined: none. */
  onPoint: (index: number | undefined) => void;
}

/** Of the labels under the bars, in CSS pixels. */
const LABEL_SPACE = 52;
const TICK_GAP = 8;
/** How many periods lie between two labels. */
const LABEL_STEPS = [1, 2, 3, 4, 6, 12, 24, 60, 120];

/** @returns what removes the bars */
export function drawBars(parent: HTMLElement, options: BarsOptions): () => void {
  const { grouping, width, height, label, colours, font, onPoint } = options;
  const { periods, length } = grouping;
  // Only the height of the bars is rounded; all texts have the exact sums.
  const data: UPlot.AlignedData = [
    periods.map((_, index) => index),
    periods.map(({ income }) => Number(income) / 100),
    periods.map(({ expense }) => -Number(expense) / 100),
  ];
  const paths = UPlot.paths.bars?.({ size: [0.68, 44, 1], radius: [0.12, 0] });
  const bars = (colour: string): UPlot.Series => ({
    fill: colour,
    stroke: colour,
    width: 0,
    points: { show: false },
    ...(paths && { paths }),
  });
  const axis = { stroke: colours.text, font, gap: TICK_GAP, ticks: { show: false } };
  const labels = labelledPeriods(grouping, width);
  const plot = new UPlot(
    {
      width,
      height,
      legend: { show: false },
      padding: [8, 4, 0, 0],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: () => [-0.5, periods.length - 0.5] },
        y: { range: (_, least, most) => rangeOf(least, most) },
      },
      series: [{}, bars(colours.income), bars(colours.expense)],
      axes: [
        {
          ...axis,
          grid: { show: false },
          splits: () => labels,
          values: (_, indexes) =>
            indexes.map((index) => {
              const period = periods[index];
              return period ? tickText(period, length, index === labels[0]) : '';
            }),
          size: length < 12 ? 50 : 32,
        },
        {
          ...axis,
          grid: { stroke: colours.line, width: 1 },
          space: 34,
          values: (_, amounts) => amountTicks(amounts),
          size: (self, texts) => amountWidth(self, texts, font),
        },
      ],
      hooks: {
        setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
        draw: [(self) => drawZero(self, colours.zero)],
      },
    },
    data,
    parent,
  );
  const canvas = plot.ctx.canvas;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', label);
  return () => plot.destroy();
}

/** A tenth of space at the end of the bars; the axis is always among the amounts. */
function rangeOf(least: number, most: number): [number, number] {
  const [low, high] = [Math.min(least ?? 0, 0), Math.max(most ?? 0, 0)];
  return low === 0 && high === 0 ? [-1, 1] : [low * 1.1, high * 1.1];
}

/** The periods with a label. Januaries and round years are among them. */
function labelledPeriods({ periods, length }: Grouping, width: number): number[] {
  const space = width / Math.max(periods.length, 1);
  const step = LABEL_STEPS.find((each) => each * space >= LABEL_SPACE) ?? 240;
  const indexes = periods.map((_, index) => index);
  return indexes.filter((index) => (monthsSinceZero(periods[index]?.first ?? '') / length) % step === 0);
}

function amountWidth({ ctx }: UPlot, texts: string[] | null, font: string): number {
  ctx.save();
  ctx.font = font;
  const widths = (texts ?? []).map((text) => ctx.measureText(text).width);
  ctx.restore();
  return Math.ceil(Math.max(0, ...widths)) + TICK_GAP + 4;
}

function drawZero({ ctx, bbox, valToPos }: UPlot, colour: string): void {
  const y = Math.round(valToPos(0, 'y', true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = UPlot.pxRatio;
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
