/** The closing balance of the last pushed statement of each bank account. The next statement begins with it. Each profile keeps its own. */
import { existsSync, readFileSync } from 'node:fs';
import { ownFileText } from '../files/own-file.ts';
import { UserError } from '../files/user-error.ts';
import type { BalanceCheck } from '../typescript/balances/balances.ts';
import { ownText } from '../typescript/export/own-text.ts';
import { type Closings, isClosingBalance, withClosings } from '../typescript/import/chain/closings.ts';
import type { Balance } from '../typescript/import/index.ts';
import { keptClosings, withKeptClosings } from '../typescript/import/rules/kept-closings.ts';
import { type ConnectionOptions, profileFile, writeKept } from './profiles.ts';
import { keptRulesFile } from './rules.ts';

const closingsFile = (options: ConnectionOptions) => profileFile(options, 'statements', 'json');

/** By the name of the account. Balances in the kept rules count too: the later day wins. @throws UserError when a file is damaged */
export function readClosings(options: ConnectionOptions): Closings {
  const ofRules = [...keptClosings(textOfRules(options) ?? '')];
  return withClosings(
    readOwn(options),
    ofRules.map(([account, closing]) => ({ account, closing })),
  );
}

/** Reads the text of the kept rules. Undefined if none are kept. */
function textOfRules(options: ConnectionOptions): string | undefined {
  const file = keptRulesFile(options);
  return existsSync(file) ? ownFileText(file, readFileSync(file)) : undefined;
}

function readOwn(options: ConnectionOptions): Closings {
  const file = closingsFile(options);
  if (!existsSync(file)) return new Map();
  try {
    const closings: [string, Balance][] = Object.entries(JSON.parse(ownText(readFileSync(file))));
    if (closings.every(([, closing]) => isClosingBalance(closing))) return new Map(closings);
  } catch {
    // Reported below.
  }
  throw new UserError(`${file} is damaged: delete it. It has the closing balances of the last statements.`);
}

/**
 * Keeps the closing balances of pushed statements, unless a later balance of the account is kept. Keeps the balances that another push
 * has written meanwhile. @throws UserError
 */
export async function keepClosings(
  options: ConnectionOptions,
  balances: readonly BalanceCheck[],
): Promise<void> {
  // A person takes the kept rules to another device, and the balances with them.
  const rules = textOfRules(options);
  if (rules !== undefined) {
    const text = withKeptClosings(rules, balances);
    if (text !== rules) await writeKept(keptRulesFile(options), text);
    return;
  }
  const closings = readOwn(options);
  const kept = withClosings(closings, balances);
  const text = JSON.stringify(Object.fromEntries(kept), null, 2);
  if (text !== JSON.stringify(Object.fromEntries(closings), null, 2))
    await writeKept(closingsFile(options), `${text}\n`);
}
