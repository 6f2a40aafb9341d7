/** The property that the tests check: a run has no violation. */
import { wordsOf } from './report.ts';
import { emptyRun, type Run, runSeed, shareRead, smallestOf } from './run.ts';

/** The least share of refused files that is read right after true answers. The others stay refused, and nothing of them is stored. */
const SHARE_READ_MIN = 0.98;
const WRONG = ['wrong without a word', 'wrong after true answers'];
const SHOWN_MAX = 5;

export async function runFiles(seeds: readonly number[], files: number): Promise<Run> {
  const run = emptyRun();
  for (const seed of seeds) await runSeed(seed, files, run, true);
  return run;
}

/** One line for each oracle that does not hold. */
export function failuresOf({ total, second }: Run): string[] {
  const failures = Object.entries(total.violations)
    .filter(([kind, count]) => WRONG.includes(kind) && count > 0)
    .map(([kind, count]) => `${count} files: ${kind}`);
  const share = shareRead(total);
  if (share < SHARE_READ_MIN)
    failures.push(`${(100 * share).toFixed(1)} % of refused files are read after true answers`);
  if (second.wrong > 0) failures.push(`${second.wrong} second files are wrong`);
  return failures;
}

/** The smallest files that violate an oracle, because nothing else of a failed run is left. */
export async function shown(run: Run): Promise<string> {
  const isAllowed = (kind: string) => ['not readable', 'more answers'].includes(kind);
  const violating = run.found.filter(({ kind }) => !isAllowed(kind));
  const found = violating.length > 0 ? violating : run.found;
  return (await smallestOf(found.slice(0, SHOWN_MAX))).map(wordsOf).join('\n');
}
