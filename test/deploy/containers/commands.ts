/** Commands of this machine, and the keys of the load, which the operator's command creates. */
import { runToEnd } from '../../fixtures/checkout.ts';
import type { LoadOptions } from './load.ts';

/** Each key has 120 requests in a minute, and each account 5,000 entries in a day. */
const [ACCOUNTS, KEYS_OF_ACCOUNT] = [3, 6];

export const run = (command: string[], input = '') => runToEnd(command, { env: process.env, input });

/** @throws Error with the output of a command that fails */
export async function succeed(command: string[], input?: string): Promise<string> {
  const { out, err, exitCode } = await run(command, input);
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}: ${out}${err}`);
  return out;
}

/** @param admin runs `admin <words>` with this standard input, and returns its output */
export async function newKeys(
  admin: (words: string, input?: string) => Promise<string>,
): Promise<LoadOptions['keys']> {
  const sources = new Map<string, string>();
  for (let account = 0; account < ACCOUNTS; account++) {
    const { accountId } = JSON.parse(await admin('account create --plan pro --json'));
    const source = `source create --account ${accountId} --type uk-property --name House --json`;
    sources.set(accountId, JSON.parse(await admin(source)).id);
  }
  const accounts = Array.from({ length: KEYS_OF_ACCOUNT }, () => [...sources.keys()]).flat();
  const lines = (await admin('key create --account -', `${accounts.join('\n')}\n`)).trim().split('\n');
  return lines.map((line) => {
    const { accountId, key } = JSON.parse(line);
    return { key, source: sources.get(accountId) ?? '' };
  });
}
