/** The answers about columns that the rules do not keep yet. */

import type { Recognised } from '../result.ts';
import { hasAnswers } from '../rules/answers-text.ts';
import {
  isRecognisable,
  isSameKind,
  type KeptAnswers,
  keptAnswersOf,
  keptLine,
} from '../rules/kept-answers.ts';

interface ChosenToKeep {
  result: { recognised: Pick<Recognised, 'kind' | 'answers'> };
}

/**
 * Leaves out files without a header and an account, whose next file is unknown, and files of one kind with different answers, which need the
 * names of their accounts.
 */
export function answersToKeep(files: readonly ChosenToKeep[], rules = '', now = new Date()): KeptAnswers[] {
  const known = new Set(keptAnswersOf(rules).map(lineWithoutDate));
  const date = localDay(now);
  const all = files.map(({ result: { recognised } }) => ({
    ...recognised.kind,
    answers: recognised.answers,
    date,
  }));
  const found = new Map(all.map((each) => [lineWithoutDate(each), each]));
  return [...found.values()].filter(
    (each) =>
      hasAnswers(each.answers) &&
      isRecognisable(each) &&
      !known.has(lineWithoutDate(each)) &&
      ![...found.values()].some((other) => other !== each && isSameKind(other, each)),
  );
}

const lineWithoutDate = (kept: KeptAnswers) =>
  keptLine({ ...kept, date: '', accounts: kept.accounts.toSorted() });

/** Local time: the day that the person sees. */
const localDay = (now: Date): string =>
  new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
