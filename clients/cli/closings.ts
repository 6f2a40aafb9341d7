/** The balance with which the last pushed statement of each bank account ended, kept for a profile: the next one begins with it. */
import { existsSync, readFileSync } from 'node:fs';
import type { Balance } from '../typescript/import/index.ts';
import type { BalanceProof } from '../typescript/proof/balances.ts';
import type { GlobalOptions } from './context.ts';
import { usageError } from './exit.ts';
import { profileFile, writeKept } from './profiles.ts';

const closingsFile = (options: GlobalOptions) => profileFile(options, 'statements', 'json');

/** By the name of the account. @throws CliError when the file is damaged */
export function readClosings(options: GlobalOptions): Map<string, Balance> {
  const file = closingsFile(options);
  if (!existsSync(file)) return new Map();
  try {
    const closings: [string, Balance][] = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
    if (
      closings.every(([, { date, pence }]) => !Number.isNaN(Date.parse(date)) && Number.isSafeInteger(pence))
    )
      return new Map(closings);
  } catch {
    // Reported below.
  }
  throw usageError(`${file} is damaged: delete it. It has the closing balances of the last statements.`);
}

/** Keeps the closing balances of statements that were pushed, unless those of later ones are kept. @throws CliError */
export async function keepClosings(
  options: GlobalOptions,
  closings: ReadonlyMap<string, Balance>,
  balances: readonly BalanceProof[],
): Promise<void> {
  const kept = new Map(closings);
  for (const { account, closing } of balances) {
    const before = kept.get(account);
    if (account !== '' && closing && (!before || before.date <= closing.date)) kept.set(account, closing);
  }
  const text = JSON.stringify(Object.fromEntries(kept), null, 2);
  if (text !== JSON.stringify(Object.fromEntries(closings), null, 2))
    await writeKept(closingsFile(options), `${text}\n`);
}
