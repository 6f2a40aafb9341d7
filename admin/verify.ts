/** `admin verify`: checks the database itself, by the code of the worker, and prints a report. */
import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';
import { type Output, showLines, showProgress } from './output.ts';

/** A command that fails has 1 too. */
const EXIT_CODES = { right: 0, incomplete: 1, wrong: 3 };

/**
 * Checks until the end or a signal, and prints what was found.
 * @returns the exit code
 * @throws Error in one sentence without DATABASE_URL
 */
export async function verifyDatabase(
  { DATABASE_URL: databaseUrl }: Config,
  only: { account?: string; after?: string; anchors?: string },
  output: Output,
): Promise<number> {
  requireUrl(databaseUrl);
  // The other commands need no SQL.
  const { verify } = await import('../ledger-worker/verify/verify.ts');
  const { readAnchors } = await import('../ledger-worker/verify/anchors.ts');
  const anchors =
    only.anchors === undefined ? undefined : readAnchors(readFileSync(only.anchors, 'utf8')).digests;
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  const onProgress = (progress: string) => showProgress(progress, output);
  const report = await verify({ ...only, anchors, databaseUrl, signal: stopped.signal, onProgress });
  for (const signal of signals) process.off(signal, stop);

  const { result, findings, accounts, entries, indexes, notChecked, next } = report;
  const extent = `${accounts} accounts, ${entries} entries, ${indexes} indexes`;
  const lines = [
    ...findings.map(({ server, accountId, fact, remedy }) => {
      const place = [server && `at ${server}: `, accountId && `account ${accountId}: `];
      return `finding: ${place.join('')}${fact}. ${remedy}`;
    }),
    ...notChecked.map((text) => `not checked: ${text}`),
    ...(next === undefined ? [] : [`next: --after ${next}`]),
    `${result}: ${findings.length} findings in ${extent}`,
  ];
  showLines(lines, report, output);
  return EXIT_CODES[result];
}

/** @throws Error in one sentence without it */
export function requireUrl(databaseUrl: string | undefined): asserts databaseUrl is string {
  if (databaseUrl === undefined)
    throw new Error('There is no DATABASE_URL, the address of the database, as for the worker.');
}
