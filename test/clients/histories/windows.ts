/** The days of the exports of a history, and how they follow each other. */
import type { Random } from '../../faults/random.ts';
import type { Bank } from './bank.ts';
import { plusDays, REACH } from './world.ts';

/** The part of an account that one export shows. */
export interface Window {
  from: string;
  to: string;
  /** The export ends within a day: only the first lines of that day. */
  lastLines?: number;
  /** The export begins within a day, after these many lines of that day. */
  skippedLines?: number;
}

const KINDS = [
  'adjacent',
  'overlapping',
  'whole',
  'equal',
  'apart',
  'three',
  'within a day',
  'day grows',
] as const;
/** Edges are where payments are lost and doubled. */
export const WINDOW_KINDS = [...KINDS, 'adjacent', 'within a day'] as const;
export type WindowKind = (typeof KINDS)[number];

export const isWithinDay = (kind: WindowKind) => kind === 'within a day' || kind === 'day grows';

export function windowsOf(kind: WindowKind, chance: Random, bank: Bank): Window[] {
  const { middle } = bank.world;
  const [from, to] = [plusDays(middle, -REACH), plusDays(middle, REACH)];
  const all = { from, to };
  if (isWithinDay(kind)) return windowsWithinDay(kind, chance, bank, all);
  const edge = plusDays(middle, chance.int(-3, 3));
  const first = { from, to: edge };
  const rest = { from: plusDays(edge, 1), to };
  const later = (days: number) => ({ from: plusDays(edge, -chance.int(0, days)), to });
  const windows: Record<Exclude<WindowKind, 'within a day' | 'day grows'>, () => Window[]> = {
    adjacent: () => [first, rest],
    overlapping: () => [first, later(12)],
    whole: () => [first, all],
    equal: () => [all, all],
    apart: () => [
      { from, to: plusDays(middle, -4) },
      { from: plusDays(middle, 2), to },
    ],
    three: () => [first, rest, later(15)],
  };
  return windows[kind as keyof typeof windows]();
}

/** Ends the first export between two payments of a day, if possible between equal ones. */
function windowsWithinDay(kind: WindowKind, chance: Random, bank: Bank, all: Window): Window[] {
  const lines = bank.linesOf(0).map(({ line }) => line);
  const cuts = lines.flatMap((line, index) =>
    index > 0 && lines[index - 1]?.date === line.date ? [index] : [],
  );
  const equal = cuts.filter((index) => {
    const [one, other] = [lines[index - 1], lines[index]];
    return one?.pence === other?.pence && one?.description === other?.description;
  });
  const cut = chance.pick(equal.length > 0 ? equal : cuts);
  const day = lines[cut ?? -1]?.date;
  if (cut === undefined || day === undefined) return [all, all];
  const before = lines.slice(0, cut).filter(({ date }) => date === day).length;
  const begun = { from: all.from, to: day, lastLines: before };
  return [begun, kind === 'day grows' ? all : { from: day, to: all.to, skippedLines: before }];
}
