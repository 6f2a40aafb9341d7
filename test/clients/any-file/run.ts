/** Reads the files of some seeds, and counts how they were read. */
import { drawFile } from './draw.ts';
import type { DrawnFile } from './drawn-file.ts';
import { later } from './later.ts';
import { type Reading, readTruthfully } from './reading.ts';
import { shrink } from './shrink.ts';
import {
  featuresOf,
  hasManyAnswers,
  isAsked,
  isUnreadable,
  VIOLATIONS,
  type Violation,
  violationOf,
} from './violations.ts';

export interface Tally {
  files: number;
  right: number;
  answered: number;
  unreadable: number;
  /** More answers than a person gives. */
  many: number;
  /** Wrong entries beside rows that are listed as invalid. */
  besideInvalid: number;
  /** The most answers that a file needed. */
  answersMax: number;
  violations: Record<Violation, number>;
}

export interface Found {
  /** `SEED/INDEX`, to draw the file again. */
  file: string;
  kind: Violation | 'not readable' | 'more answers' | 'the second file is asked';
  drawn: DrawnFile;
  reading: Reading;
}

export interface Run {
  total: Tally;
  byFeature: Map<string, Tally>;
  reasons: Map<string, number>;
  /** Second files, after a first one that was read right: those with questions about columns, and the wrong ones. */
  second: { files: number; asked: number; wrong: number };
  found: Found[];
}

const emptyTally = (): Tally => ({
  files: 0,
  right: 0,
  answered: 0,
  unreadable: 0,
  many: 0,
  besideInvalid: 0,
  answersMax: 0,
  violations: Object.fromEntries(VIOLATIONS.map((kind) => [kind, 0])) as Tally['violations'],
});

export const emptyRun = (): Run => ({
  total: emptyTally(),
  byFeature: new Map(),
  reasons: new Map(),
  second: { files: 0, asked: 0, wrong: 0 },
  found: [],
});

/** @param isSecond whether each file that asked is followed by a second file of its kind */
export async function runSeed(seed: number, files: number, run: Run, isSecond = false): Promise<void> {
  for (let index = 0; index < files; index++) {
    const file = `${seed}/${index}`;
    const drawn = drawFile(file);
    const reading = await readTruthfully(drawn);
    const kind = violationOf(drawn, reading);
    const features = featuresOf(drawn);
    for (const tally of [run.total, ...features.map((feature) => tallyOf(run, feature))])
      count(tally, reading, kind);
    if (reading.reason !== '') run.reasons.set(reading.reason, (run.reasons.get(reading.reason) ?? 0) + 1);
    if (kind) run.found.push({ file, kind, drawn, reading });
    else if (isUnreadable(reading)) run.found.push({ file, kind: 'not readable', drawn, reading });
    else if (hasManyAnswers(reading)) run.found.push({ file, kind: 'more answers', drawn, reading });
    if (isSecond && reading.outcome === 'right after answers') await readSecond(file, drawn, reading, run);
  }
}

/** Reads the next file of the kind: the reader must not ask about its columns again. */
async function readSecond(file: string, drawn: DrawnFile, { options }: Reading, run: Run): Promise<void> {
  const { map, ignore, values, amounts, unit } = options;
  const next = later(drawn);
  const reading = await readTruthfully(next, { map, ignore, values, amounts, unit });
  const isOfColumns = reading.questions.some(({ kind }) => kind !== 'heading');
  run.second.files++;
  if (isOfColumns) run.second.asked++;
  if (violationOf({ ...next, isProved: false }, reading)) run.second.wrong++;
  if (isOfColumns) run.found.push({ file, kind: 'the second file is asked', drawn: next, reading });
}

function tallyOf({ byFeature }: Run, feature: string): Tally {
  const tally = byFeature.get(feature) ?? emptyTally();
  byFeature.set(feature, tally);
  return tally;
}

function count(tally: Tally, reading: Reading, kind: Violation | undefined): void {
  tally.files++;
  if (reading.outcome === 'right') tally.right++;
  if (reading.outcome === 'right after answers') tally.answered++;
  if (reading.outcome === 'unreadable') tally.unreadable++;
  if (hasManyAnswers(reading)) tally.many++;
  if (reading.isWrongBesideInvalid) tally.besideInvalid++;
  if (isAsked(reading)) tally.answersMax = Math.max(tally.answersMax, reading.answers);
  if (kind) tally.violations[kind]++;
}

/** One of each kind, as small as it can be. */
export async function smallestOf(found: readonly Found[]): Promise<Found[]> {
  const kinds = Map.groupBy(found, ({ kind, drawn, reading }) =>
    [kind, reading.reason, ...featuresOf(drawn).filter((feature) => !feature.startsWith('beside'))].join(';'),
  );
  const smallest = new Map<string, Found>();
  for (const [first] of kinds.values()) {
    if (!first) continue;
    const { kind, reading } = first;
    const drawn = await shrink(first.drawn, async (candidate) => {
      const again = await readTruthfully(candidate);
      if (kind === 'not readable') return isUnreadable(again) && again.reason === reading.reason;
      if (kind === 'more answers') return hasManyAnswers(again);
      return violationOf(candidate, again) === kind;
    });
    const key = [kind, reading.reason, ...featuresOf(drawn)].join(';');
    if (!smallest.has(key)) smallest.set(key, { ...first, drawn, reading: await readTruthfully(drawn) });
  }
  return [...smallest.values()];
}

/** At least 98 of 100 refused files are read right after true answers. */
export const shareRead = ({ answered, unreadable, violations }: Tally) => {
  const refused = answered + unreadable + violations['wrong after true answers'];
  return refused === 0 ? 1 : answered / refused;
};
