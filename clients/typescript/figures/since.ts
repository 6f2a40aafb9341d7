/** The changes of cumulative figures since an earlier document. Each change is explained by entries and shares, which add up to it exactly. */
import { groupBy } from '../group-by.ts';
import { fieldOf } from './fields.ts';
import {
  type BusinessFigures,
  businessIdentity,
  businessKeyOf,
  type CategoryOfType,
  type FiguresLine,
  inOrder,
  shareOf,
} from './period-figures.ts';
import { type FigureEntry, type FigureSource, figurePence, isRefund, type Snapshot } from './snapshot.ts';

interface SumAndShare {
  /** The sum of the entries, and the stated sum. */
  pence: bigint;
  /** The account holder's share, as `penceIfWhole` of a line. */
  sharePence: bigint;
}

/** The effect of one entry on one figure. */
export interface EntryChange extends SumAndShare {
  /** `moved`: to another source. `corrected`: another amount. `removed` is also an entry whose date has left the period. */
  kind: 'added' | 'removed' | 'moved' | 'recategorised' | 'corrected';
  /** Whether the entry is in this figure now. */
  isHere: boolean;
  before: FigureEntry | undefined;
  now: FigureEntry | undefined;
}

/** The effect of another percentage on the share of a source. */
interface ShareChange extends Pick<SumAndShare, 'sharePence'> {
  before: FigureSource;
  now: FigureSource;
}

/** Another stated sum of a source. */
interface StatedChange extends Pick<SumAndShare, 'pence'> {
  source: FigureSource;
  before: bigint;
  now: bigint;
}

export interface FigureChange extends Pick<FiguresLine, 'type' | 'category' | 'field'> {
  business: Pick<BusinessFigures, 'type' | 'countryCode' | 'name'>;
  before: SumAndShare;
  now: SumAndShare;
  /** The changes of entries, by date. */
  entries: EntryChange[];
  shares: ShareChange[];
  stated: StatedChange[];
}

/** The figure of one source, while its changes are added. */
interface FigureLine extends CategoryOfType {
  /** The source at that business, also if it belongs to another one now. */
  source: FigureSource;
  /** The source with the earlier and with the present percentage. */
  before: FigureSource;
  now: FigureSource;
  beforePence: bigint;
  entries: EntryChange[];
  /** The pence of the figure with the changes so far. */
  pence: bigint;
  /** Before and now, beside the entries. */
  stated: [before: bigint, now: bigint];
}

/** Every figure with a change, in the order of the figures, also if its changes add up to nothing. */
export function changesSince(before: Snapshot, now: Snapshot): FigureChange[] {
  const [earlier, present] = [byId(before), byId(now)];
  const lines = new Map<string, FigureLine>();
  const lineAt = (source: FigureSource, { type, category }: CategoryOfType): FigureLine => {
    const figure = { type, category };
    const key = JSON.stringify([businessKeyOf(source), source.id, figure.type, figure.category]);
    const known = lines.get(key);
    if (known) return known;
    const [was, is] = [earlier.get(source.id) ?? source, present.get(source.id) ?? source];
    const atBusiness = businessKeyOf(is) === businessKeyOf(source) ? is : source;
    const line: FigureLine = {
      ...figure,
      source: atBusiness,
      before: was,
      now: is,
      beforePence: 0n,
      pence: 0n,
      entries: [],
      stated: [0n, 0n],
    };
    lines.set(key, line);
    return line;
  };
  const lineOf = (entry: FigureEntry | undefined): FigureLine | undefined =>
    entry?.figure ? lineAt(entry.source, entry.figure) : undefined;
  for (const [at, { sources }] of [before, now].entries())
    for (const source of sources)
      for (const each of source.stated) lineAt(source, each).stated[at] = each.pence;
  for (const entry of before.entries.values()) {
    const line = lineOf(entry);
    if (line) line.beforePence = line.pence += figurePence(entry);
  }
  for (const id of new Set([...before.entries.keys(), ...now.entries.keys()])) {
    const [was, is] = [before.entries.get(id), now.entries.get(id)];
    const [from, to] = [lineOf(was), lineOf(is)];
    const change = { kind: kindOf(was, is), before: was, now: is };
    const [less, more] = [was ? figurePence(was) : 0n, is ? figurePence(is) : 0n];
    if (from === to) {
      if (from && less !== more) addChange(from, { ...change, isHere: true, pence: more - less });
      continue;
    }
    if (from) addChange(from, { ...change, isHere: false, pence: -less });
    if (to) addChange(to, { ...change, isHere: true, pence: more });
  }
  return figuresOfLines([...lines.values()], now);
}

const byId = ({ sources }: Snapshot) => new Map(sources.map((source) => [source.id, source]));

function kindOf(before: FigureEntry | undefined, now: FigureEntry | undefined): EntryChange['kind'] {
  if (!before) return 'added';
  if (!now) return 'removed';
  if (before.source.id !== now.source.id || businessKeyOf(before.source) !== businessKeyOf(now.source))
    return 'moved';
  const figureOf = (entry: FigureEntry) =>
    [entry.figure?.type, entry.figure?.category, isRefund(entry)].join(' ');
  return figureOf(before) === figureOf(now) ? 'corrected' : 'recategorised';
}

/** The share of an entry is the difference of two rounded sums, so that the shares of all entries add up to the share of the sum. */
function addChange(line: FigureLine, change: Omit<EntryChange, 'sharePence'>): void {
  const { percent } = line.before;
  const before = shareOf(line.pence, percent);
  line.pence += change.pence;
  line.entries.push({ ...change, sharePence: shareOf(line.pence, percent) - before });
}

function figuresOfLines(lines: readonly FigureLine[], { sources }: Snapshot): FigureChange[] {
  const businesses = groupBy(lines, (line) => businessKeyOf(line.source));
  const order = [...new Set([...sources.map(businessKeyOf), ...businesses.keys()])];
  return order.flatMap((key) => {
    const own = businesses.get(key) ?? [];
    const figures = [...groupBy(own, ({ type, category }) => `${type} ${category}`).values()];
    const changes = figures
      .map(changeOf)
      .filter(({ entries, shares, stated }) => entries.length + shares.length + stated.length > 0);
    return inOrder(changes[0]?.business.type ?? 'uk-property', changes);
  });
}

function changeOf(lines: readonly FigureLine[]): FigureChange {
  const { type, category, source } = lines[0] as FigureLine;
  const sum = (amountOf: (line: FigureLine) => bigint) =>
    lines.reduce((total, line) => total + amountOf(line), 0n);
  const day = ({ before, now }: EntryChange) => (now ?? before)?.date ?? '';
  return {
    business: businessIdentity(source),
    type,
    category,
    field: fieldOf(source.type, type, category)?.path,
    before: {
      pence: sum(({ beforePence, stated: [was] }) => beforePence + was),
      sharePence: sum(({ beforePence, before, stated: [was] }) => shareOf(beforePence, before.percent) + was),
    },
    now: {
      pence: sum(({ pence, stated: [, is] }) => pence + is),
      sharePence: sum(({ pence, now, stated: [, is] }) => shareOf(pence, now.percent) + is),
    },
    entries: lines
      .flatMap(({ entries }) => entries)
      .sort((one, other) => (day(one) < day(other) ? -1 : day(one) > day(other) ? 1 : 0)),
    shares: lines.flatMap(({ before, now, pence }) => {
      const sharePence = shareOf(pence, now.percent) - shareOf(pence, before.percent);
      return sharePence === 0n ? [] : [{ before, now, sharePence }];
    }),
    stated: lines.flatMap(({ source, stated: [was, is] }) =>
      was === is ? [] : [{ source, before: was, now: is, pence: is - was }],
    ),
  };
}
