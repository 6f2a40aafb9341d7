/** Which files an assistant can have read: regular ones in the folder that the operator allows. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TestAccount } from '../../fixtures/client.ts';
import { newFolder, startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

const CSV = 'Date,Description,Amount\n2026-05-11,SECRET,1.00\n';
const source = 'uk-property';
const account = await TestAccount.create();

async function reader(folder: string | undefined) {
  const assistant = await startAssistant(account.key, folder === undefined ? {} : { folder });
  return {
    read: (path: string) => assistant.call('preview_file', { path, source }),
    [Symbol.asyncDispose]: () => assistant.close(),
  };
}

test('files of the folder and of those in it are read, by relative and by absolute paths', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, '2026'));
  const paths = ['bank.csv', '2026/may..csv', join(folder, 'bank.csv'), './2026/../bank.csv', 'link.csv'];
  for (const path of ['bank.csv', '2026/may..csv']) writeFileSync(join(folder, path), CSV);
  symlinkSync(join(folder, 'bank.csv'), join(folder, 'link.csv'));
  await using own = await reader(folder);
  for (const path of paths) {
    const { isError, value } = await own.read(path);
    expect([path, isError, value.creates?.count]).toEqual([path, false, 1]);
  }
});

test('no file outside of it is read, and whether there is one is not shown', async () => {
  const folder = newFolder();
  const outside = newFolder();
  writeFileSync(join(outside, 'bank.csv'), CSV);
  // A name that begins with that of the folder.
  mkdirSync(`${folder}-more`);
  writeFileSync(`${folder}-more/bank.csv`, CSV);
  symlinkSync(join(outside, 'bank.csv'), join(folder, 'link.csv'));
  symlinkSync(outside, join(folder, 'linked'));
  writeFileSync(join(folder, '.env'), CSV);
  mkdirSync(join(folder, '.config'));
  writeFileSync(join(folder, '.config/bank.csv'), CSV);
  await using own = await reader(folder);
  const texts = new Set<string>();
  for (const path of [
    ...[
      `../${basename(outside)}/bank.csv`,
      join(outside, 'bank.csv'),
      `../${basename(folder)}-more/bank.csv`,
    ],
    ...[
      'link.csv',
      'linked/bank.csv',
      '/etc/passwd',
      '../missing.csv',
      '..',
      '.',
      '.env',
      '.config/bank.csv',
    ],
    ...['/proc/self/environ', folder, '2026/../../x.csv'],
  ]) {
    const { isError, value, text } = await own.read(path);
    expect([path, isError, text.includes('SECRET')]).toEqual([path, true, false]);
    texts.add(value);
  }
  expect([...texts]).toEqual([expect.stringContaining('Only files within')]);
});

test('what is missing, no regular file or too large is refused with what to do', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'large.csv'), Buffer.alloc(5 * 2 ** 20 + 1, 'x'));
  expect(Bun.spawnSync(['mkfifo', join(folder, 'pipe.csv')]).exitCode).toBe(0);
  await using own = await reader(folder);
  const said = async (path: string) => {
    const { isError, value } = await own.read(path);
    return [isError, value];
  };
  expect(await said('missing.csv')).toEqual([true, expect.stringContaining('There is no file')]);
  expect(await said('a')).toEqual([true, expect.stringContaining('no regular file')]);
  expect(await said('pipe.csv')).toEqual([true, expect.stringContaining('no regular file')]);
  expect(await said('large.csv')).toEqual([true, expect.stringContaining('more than 5 MiB')]);
  expect(await said('x\0.csv')).toEqual([true, expect.stringContaining('zero character')]);
});

test('without a folder no file is read', async () => {
  await using own = await reader(undefined);
  const { isError, value } = await own.read('bank.csv');
  expect([isError, value]).toEqual([true, expect.stringContaining('--folder')]);
});
