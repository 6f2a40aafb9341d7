/** Each output of the command: its extension fits, and it replaces a file of its own kind only, or any with --force. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { admin, system } from '../../fixtures/system.ts';
import { directory, newUser, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const { account, run } = await newUser();
await account.post([entry({ description: 'Rent', externalRef: 'r1' })]);
const second = await TestAccount.create();
const folder = mkdtempSync(join(directory, 'replaced-'));
const STATEMENT = 'Date,Description,Amount,externalRef\n2026-04-06,Rent,1.00,r2\n';
const statement = writeFile('replaced.csv', STATEMENT);
const SOURCE = ['-s', 'uk-property'];
const PROVE = ['prove', statement, ...SOURCE];
const CONFORMANCE = [
  ...['conformance', system.url, '--only', 'me', '-s', account.sources['uk-property']],
  ...['--second-source', second.sources['uk-property']],
];
const OUTPUTS: [name: string, extension: string, args: string[]][] = [
  ...['csv', 'xlsx', 'json', 'ndjson'].map((each): (typeof OUTPUTS)[number] => [
    'pull -o',
    each,
    ['pull', ...SOURCE, '-o'],
  ]),
  ['push --report', 'csv', ['push', statement, ...SOURCE, '--dry-run', '--report']],
  ['prove --report', 'json', [...PROVE, '--report']],
  ['prove --corrections', 'csv', [...PROVE, '--corrections']],
  ['prove --corrections', 'xlsx', [...PROVE, '--corrections']],
  ['figures --xlsx', 'xlsx', ['figures', '--xlsx']],
  ['conformance --report', 'json', [...CONFORMANCE, '--report']],
];
/** Of each output: all together send more requests than a key has in a minute. */
const keys = await Promise.all(OUTPUTS.map(() => admin.createKey({ accountId: account.accountId })));
const ownFile = (index: number) => join(folder, `own-${index}.${OUTPUTS[index]?.[1]}`);
/** Writes the output over a file. */
const writeOver = async (index: number, file: string, ...more: string[]) => {
  const env = { LEDGER_API_KEY: keys[index]?.key ?? '', LEDGER_SECOND_API_KEY: second.key };
  const { exitCode, err } = await run([...(OUTPUTS[index]?.[2] ?? []), file, ...more], { env });
  return [exitCode === 6 ? 0 : exitCode, exitCode === 2 ? err : ''];
};

beforeAll(async () => {
  // An empty file is replaced too.
  for (const index of OUTPUTS.keys()) writeFileSync(ownFile(index), '');
  for (const index of OUTPUTS.keys()) expect(await writeOver(index, ownFile(index))).toEqual([0, '']);
});

describe.each(OUTPUTS.map(([name, extension], index) => [name, extension, index] as const))(
  '%s .%s',
  (name, extension, index) => {
    const file = join(folder, `other-${index}.${extension}`);

    test('replaces its own kind', async () => {
      expect(await writeOver(index, ownFile(index))).toEqual([0, '']);
    });

    test('replaces a statement, or an output of another kind, with --force only', async () => {
      const others = [...OUTPUTS.keys()].filter((other) => OUTPUTS[other]?.[0] !== name).map(ownFile);
      const contents = [statement, ...others].map((other) => readFileSync(other));
      for (const content of contents) {
        writeFileSync(file, content);
        const refused = [2, expect.stringContaining('is another kind of file, and is not replaced')];
        expect(await writeOver(index, file)).toEqual(refused);
        expect(readFileSync(file)).toEqual(content);
      }
      expect(await writeOver(index, file, '--force')).toEqual([0, '']);
      expect(await writeOver(index, file)).toEqual([0, '']);
    });

    test('has one of its extensions, also with --force', async () => {
      const refused = [2, expect.stringMatching(/other\.txt must end in \.(csv|json|xlsx)/)];
      expect(await writeOver(index, join(folder, 'other.txt'), '--force')).toEqual(refused);
    });
  },
);
