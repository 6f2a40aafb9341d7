/** What must not happen: the oracles of one file. */
import { ANSWERS_MAX } from './draw.ts';
import type { DrawnFile } from './drawn-file.ts';
import type { Reading } from './reading.ts';

export const VIOLATIONS = [
  'wrong without a word',
  'wrong after true answers',
  'a balance proves the file, and it asks',
  'no true answer among the choices',
  'crash',
] as const;
export type Violation = (typeof VIOLATIONS)[number];

/** Files of these may be few, and are counted. */
export const isUnreadable = ({ outcome }: Reading) => outcome === 'unreadable';
export const hasManyAnswers = ({ answers }: Reading) => answers > ANSWERS_MAX;
export const isAsked = ({ outcome, answers }: Reading) => outcome === 'unreadable' || answers > 0;

/** A balance proves each row but the first one. */
const PROVED_ROWS_MIN = 3;

export function violationOf(drawn: DrawnFile, reading: Reading): Violation | undefined {
  const { outcome, questions, openRows, reason } = reading;
  if (outcome === 'crash') return 'crash';
  if (outcome === 'wrong') return 'wrong without a word';
  if (outcome === 'wrong after answers') return 'wrong after true answers';
  const isOpen = questions.some(({ kind }) => ['direction', 'values', 'unit', 'heading'].includes(kind));
  if (drawn.isProved && drawn.items.length >= PROVED_ROWS_MIN && (isOpen || openRows > 0))
    return 'a balance proves the file, and it asks';
  if (reason.startsWith('no true choice')) return 'no true answer among the choices';
  return undefined;
}

/** The properties of the file, its columns included. */
export function featuresOf(drawn: DrawnFile): string[] {
  const isRelated = drawn.items.some(({ kind }) => kind !== 'payments');
  const own = drawn.features.filter(
    (feature) => isRelated || !feature.startsWith('rows: ') || /equal to a sum|that cancel/.test(feature),
  );
  return [...own, ...drawn.columns.flatMap(({ feature }) => feature ?? []), `format: ${drawn.format}`];
}
