/** Which files an assistant can have read: regular ones in the folder that the operator allows. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readWithin } from '../../../clients/mcp/folder.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { until } from '../../fixtures/until.ts';
import { newFolder, startAssistant } from './assistant.ts';

setDefaultTimeout(60_000);

const CSV = 'Date,Description,Money in\n2026-05-11,SECRET,1.00\n';
const source = 'uk-property';
const account = await TestAccount.create();

async function reader(folder?: string) {
  const assistant = await startAssistant(account.key, folder === undefined ? {} : { folder });
  return { ...assistant, read: (path: string) => assistant.call('preview_file', { path, source }) };
}

test('files of the folder and of those in it are read, by relative and by absolute paths', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, '2026'));
  const paths = ['bank.csv', '2026/may..csv', join(folder, 'bank.csv'), './2026/../bank.csv', 'link.csv'];
  for (const path of ['bank.csv', '2026/may..csv']) writeFileSync(join(folder, path), CSV);
  symlinkSync(join(folder, 'bank.csv'), join(folder, 'link.csv'));
  await using own = await reader(folder);
  const { token } = await own.do('preview_rows', { rows: CSV, source });
  for (const path of paths) {
    const { isError, value } = await own.read(path);
    expect([path, isError, value.token]).toEqual([path, false, token]);
  }
});

test('a file whose bytes do not show their encoding is read in the given one', async () => {
  const folder = newFolder();
  // "Łódź" in Windows-1250.
  writeFileSync(join(folder, 'polish.csv'), Buffer.from(CSV.replace('SECRET', '\xa3\xf3d\x9f'), 'latin1'));
  await using own = await reader(folder);
  expect((await own.read('polish.csv')).text).not.toContain('Łódź');
  const read = await own.call('preview_file', { path: 'polish.csv', source, encoding: 'windows-1250' });
  expect(read.text).toContain('Łódź');
});

test('the files are listed, newest first, without links, hidden files, folders and pipes', async () => {
  const folder = newFolder();
  await using own = await reader(folder);
  expect(await own.do('list_files')).toEqual({ files: { count: 0, rows: [], next: null }, isComplete: true });
  for (const name of ['2026', '.hidden']) mkdirSync(join(folder, name));
  for (const [index, path] of ['old.csv', '2026/may..csv', '.env', '.hidden/x.csv'].entries()) {
    writeFileSync(join(folder, path), 'x'.repeat(index));
    utimesSync(join(folder, path), index, index);
  }
  symlinkSync('/etc', join(folder, 'linked'));
  symlinkSync('/etc/passwd', join(folder, 'link.csv'));
  Bun.spawnSync(['mkfifo', join(folder, 'pipe.csv')]);
  const files = [
    { path: '2026/may..csv', bytes: 1, modified: '1970-01-01T00:00:01.000Z' },
    { path: 'old.csv', bytes: 0, modified: '1970-01-01T00:00:00.000Z' },
  ];
  expect(await own.do('list_files')).toEqual({
    files: { count: 2, rows: files, next: null },
    isComplete: true,
  });
  for (let n = 0; n < 199; n++) writeFileSync(join(folder, `${n}.csv`), '');
  const { files: listed, isComplete } = await own.do('list_files');
  expect([listed.count, isComplete, JSON.stringify(listed).includes('old.csv')]).toEqual([200, false, false]);
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
  symlinkSync('/proc/self/environ', join(folder, 'environ.csv'));
  writeFileSync(join(folder, '.env'), CSV);
  mkdirSync(join(folder, '.config'));
  writeFileSync(join(folder, '.config/bank.csv'), CSV);
  await using own = await reader(folder);
  const texts = new Set<string>();
  for (const path of [
    ...[`../${basename(outside)}/bank.csv`, join(outside, 'bank.csv')],
    ...[`../${basename(folder)}-more/bank.csv`, 'link.csv', 'linked/bank.csv', 'environ.csv'],
    ...['/etc/passwd', '/proc/self/environ', '../missing.csv', '2026/../../x.csv', '..', '.', folder],
    ...['.env', '.config/bank.csv'],
  ]) {
    const { isError, value, text } = await own.read(path);
    expect([path, isError, text.includes('SECRET')]).toEqual([path, true, false]);
    texts.add(value);
  }
  expect([...texts]).toEqual([expect.stringContaining('Only files within')]);
});

test('a file that becomes a link after the check is not read', async () => {
  const folder = await realpath(newFolder());
  const [file, secret] = [join(folder, 'bank.csv'), join(newFolder(), 'secret.csv')];
  writeFileSync(file, 'before');
  writeFileSync(secret, CSV);
  /** The check reads the real path. Right after that, somebody puts a link in the place of the file. */
  const replacing = async (path: string) => {
    const real = await realpath(path);
    symlinkSync(secret, `${real}-link`);
    renameSync(`${real}-link`, real);
    return real;
  };
  expect(await readWithin(folder, file, replacing).catch(({ message }) => message)).toBe(
    'The file cannot be opened: a person has to check its permissions.',
  );
  // Without the link it would be read.
  rmSync(file);
  writeFileSync(file, 'after');
  expect(new TextDecoder().decode(await readWithin(folder, file))).toBe('after');
});

test('a file that changes while it is read is refused', async () => {
  const folder = await realpath(newFolder());
  const file = join(folder, 'growing.csv');
  writeFileSync(file, Buffer.alloc(4 * 2 ** 20, 'x'));
  let isGrowing = true;
  const grow = () => {
    if (!isGrowing) return;
    appendFileSync(file, 'x');
    setImmediate(grow);
  };
  grow();
  const read = async () => {
    const outcome = await readWithin(folder, file).catch(({ message }) => message);
    return outcome === 'The file changes while it is read: preview it again when it is whole.';
  };
  // A read may lie between two changes.
  await until('a read meets a change', read).finally(() => {
    isGrowing = false;
  });
});

test('what is missing, no regular file or too large is refused with what to do', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'large.csv'), Buffer.alloc(5 * 2 ** 20 + 1, 'x'));
  expect(Bun.spawnSync(['mkfifo', join(folder, 'pipe.csv')]).exitCode).toBe(0);
  await using own = await reader(folder);
  for (const [path, message] of [
    ['missing.csv', 'There is no file'],
    ['file:///etc/passwd', 'There is no file'],
    ['a', 'no regular file'],
    ['pipe.csv', 'no regular file'],
    ['large.csv', 'more than 5 MiB'],
    ['x\0.csv', 'zero character'],
  ] as const) {
    const { isError, value } = await own.read(path);
    expect([path, isError, value]).toEqual([path, true, expect.stringContaining(message)]);
  }
});

test('without a folder no file is read', async () => {
  await using own = await reader();
  for (const { isError, value } of [await own.read('bank.csv'), await own.call('list_files')])
    expect([isError, value]).toEqual([true, expect.stringContaining('--folder')]);
});
