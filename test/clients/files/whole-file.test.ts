/** A file that the command writes appears whole or not at all. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { requireWritable, writeWhole } from '../../../clients/files/whole-file.ts';
import { directory } from '../cli/command.ts';

setDefaultTimeout(60_000);

const newFolder = () => mkdtempSync(join(directory, 'whole-'));
const modeOf = (file: string) => statSync(file).mode & 0o777;

async function* failing() {
  yield 'half';
  throw new RangeError('the source ended');
}

describe.each([false, true])('with a file before: %p', (exists) => {
  const prepared = () => {
    const folder = newFolder();
    const file = join(folder, 'file.csv');
    if (exists) writeFileSync(file, 'before');
    return { folder, file, before: exists ? ['file.csv'] : [] };
  };

  test('it has all of the content', async () => {
    const { folder, file } = prepared();
    await writeWhole(file, ['a', new Uint8Array([98, 99]), 'd']);
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['abcd', ['file.csv']]);
  });

  test('when the content fails, the error is that of the content, and nothing has changed', async () => {
    const { folder, file, before } = prepared();
    expect(writeWhole(file, failing())).rejects.toThrow(new RangeError('the source ended'));
    await writeWhole(file, failing()).catch(() => {});
    expect(readdirSync(folder)).toEqual(before);
    if (exists) expect(readFileSync(file, 'utf8')).toBe('before');
  });

  test('until the content is complete, it stands in a file of its own, with a name that nobody can guess', async () => {
    const { folder, file, before } = prepared();
    const names: string[] = [];
    async function* watched() {
      yield 'half';
      const [name = '', ...more] = readdirSync(folder).filter((each) => !before.includes(each));
      expect([more, readFileSync(join(folder, name), 'utf8')]).toEqual([[], 'half']);
      names.push(name);
    }
    await writeWhole(file, watched());
    await writeWhole(join(folder, 'other.csv'), watched()).catch(() => {});
    expect(names[0]).toMatch(/[0-9a-f-]{36}/);
    expect(names[0]).not.toBe(names[1]);
  });
});

test.each([0o600, 0o755])('a file keeps its permissions: %o', async (mode) => {
  const file = join(newFolder(), 'file.csv');
  writeFileSync(file, 'before');
  chmodSync(file, mode);
  await writeWhole(file, ['after']);
  expect([modeOf(file), readFileSync(file, 'utf8')]).toEqual([mode, 'after']);
});

test('the requested permissions hold from the first byte, whatever the file had', async () => {
  const folder = newFolder();
  const file = join(folder, 'file.json');
  writeFileSync(file, 'before', { mode: 0o644 });
  async function* watched() {
    yield 'half';
    const [other = ''] = readdirSync(folder).filter((each) => each !== 'file.json');
    expect(modeOf(join(folder, other))).toBe(0o600);
  }
  await writeWhole(file, watched(), { mode: 0o600 });
  expect(modeOf(file)).toBe(0o600);
});

test('a link stays a link, and its file has the content', async () => {
  const folder = newFolder();
  const [file, link] = [join(folder, 'file.csv'), join(folder, 'link.csv')];
  writeFileSync(file, 'before');
  symlinkSync(file, link);
  await writeWhole(link, ['after']);
  expect([lstatSync(link).isSymbolicLink(), readFileSync(file, 'utf8')]).toEqual([true, 'after']);
});

function linkToNothing(folder: string): string {
  symlinkSync(join(folder, 'nothing'), join(folder, 'link.csv'));
  return join(folder, 'link.csv');
}

test.each([
  ['a folder', (folder: string) => folder, /it is a folder/],
  ['a file in a folder that is not there', (folder: string) => join(folder, 'no/file.csv'), /ENOENT/],
  ['a link to nothing', linkToNothing, /it is a link to a file that does not exist/],
])('%s is refused, before and after', async (_, make, message) => {
  const folder = newFolder();
  const file = make(folder);
  const before = readdirSync(folder);
  expect(() => requireWritable(file, {})).toThrow(message);
  expect(writeWhole(file, ['x'])).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual(before);
});

test('a device gets the content, and stays', async () => {
  requireWritable('/dev/null', {});
  await writeWhole('/dev/null', ['x']);
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
});
