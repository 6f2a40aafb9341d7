/** The commands of the README's tour do what it shows. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestAccount } from './fixtures/client.ts';
import { system } from './fixtures/system.ts';

setDefaultTimeout(60_000);

const README = readFileSync(join(import.meta.dir, '../README.md'), 'utf8');
const [, tour = ''] = /^## A tour$(.*?)^## /ms.exec(README) ?? [];
const blocks = [...tour.matchAll(/^```(sh|json)\n(.*?)^```/gms)].map(([, language, text = '']) => ({
  language,
  text,
}));
const CURL = `curl() { "${process.execPath}" "${join(import.meta.dir, 'local/curl.ts')}" "$@"; }`;
const SHELL = [
  'shopt -s expand_aliases',
  /^alias .*$/m.exec(tour)?.[0] ?? '',
  // A machine may have none.
  Bun.which('curl') === null ? CURL : '',
].join('\n');

/** Runs the commands of a block, without those that only set a variable. */
async function run(text: string, env: Record<string, string>): Promise<string> {
  const commands = text.replace(/^(export|alias) .*$/gm, '');
  const child = Bun.spawn(['bash', '-euc', `${SHELL}\n${commands}`], {
    env: { PATH: process.env.PATH, no_proxy: '127.0.0.1', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([await child.exited, err]).toEqual([0, '']);
  return out;
}

/** A body without white space, and with one text for each id. */
const comparable = (json: string) =>
  JSON.stringify(JSON.parse(json)).replace(/"([\da-f]{8}-[\da-f-]{27}|[^"]*…)"/g, '"id"');

test('each command of the tour gets the response that follows it, and no other fails', async () => {
  const account = await TestAccount.create();
  const env = {
    KEY: account.key,
    API: `${system.url}/api/v1`,
    SOURCE: account.sources['uk-property'],
  };
  let last = '';
  let output: string | undefined;
  let shown = 0;
  for (const { language, text } of blocks) {
    if (language === 'sh') {
      if (output !== undefined) expect(output).not.toContain('"error"');
      last = text;
      output = await run(text, env);
    } else {
      // Without a command before it, the response is the one to the last command, repeated.
      expect(comparable(output ?? (await run(last, env)))).toBe(comparable(text));
      output = undefined;
      shown++;
    }
  }
  expect(shown).toBe(3);
  expect(await account.entries()).toHaveLength(3);
});
