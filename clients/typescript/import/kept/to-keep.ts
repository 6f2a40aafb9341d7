/** The choices of columns that the rules do not keep yet. */

import type { Recognised } from '../result.ts';
import { hasChoices } from '../rules/choices-text.ts';
import {
  isRecognisable,
  isSameKind,
  type KeptChoices,
  keptChoicesOf,
  keptLine,
} from '../rules/kept-choices.ts';

interface ChosenToKeep {
  result: { recognised: Pick<Recognised, 'kind' | 'choices'> };
}

/**
 * Leaves out files without a header and an account, whose next file is unknown, and files of one kind with different choices, which need the
 * names of their accounts.
 */
export function choicesToKeep(files: readonly ChosenToKeep[], rules = '', now = new Date()): KeptChoices[] {
  const known = new Set(keptChoicesOf(rules).map(lineWithoutDate));
  const date = localDay(now);
  const all = files.map(({ result: { recognised } }) => ({
    ...recognised.kind,
    choices: recognised.choices,
    date,
  }));
  const found = new Map(all.map((each) => [lineWithoutDate(each), each]));
  return [...found.values()].filter(
    (each) =>
      hasChoices(each.choices) &&
      isRecognisable(each) &&
      !known.has(lineWithoutDate(each)) &&
      ![...found.values()].some((other) => other !== each && isSameKind(other, each)),
  );
}

const lineWithoutDate = (kept: KeptChoices) =>
  keptLine({ ...kept, date: '', accounts: kept.accounts.toSorted() });

/** Local time: the day that the person sees. */
const localDay = (now: Date): string =>
  new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
