/** docs/clients.md gives the files of the clients by their roles: each file once. */
import { expect, test } from 'bun:test';
import { dirname } from 'node:path';
import { files, read } from './fixtures/imports.ts';

const [, section = ''] = /\n## The files of the clients\n(.*)/s.exec(read('docs/clients.md')) ?? [];
const tables = section.split('\n### ').slice(1);

const LISTED = ['typescript', 'settings', 'files', 'cli', 'mcp', 'web'].map((folder) => `clients/${folder}`);

test('each folder of the library and of the programs has a table', () => {
  const folders = tables.map((text) => /`(.+?)\/`/.exec(text)?.[1]);
  const isListed = (file: string) => LISTED.some((folder) => file.startsWith(`${folder}/`));
  const listed = files.filter((file) => isListed(file) && /\.tsx?$/.test(file)).map((file) => dirname(file));
  expect(folders.toSorted()).toEqual([...new Set(listed)].sort());
});

test.each(tables)('%s', (text) => {
  const folder = /`(.+?)\/`/.exec(text)?.[1] as string;
  const rows = text.match(/^\| `.*?\|/gm)?.join('') ?? '';
  const named = [...rows.matchAll(/`([\w.-]+\.tsx?)`/g)].map(([, name]) => `${folder}/${name}`);
  const beside = files.filter((file) => new RegExp(`^${folder}/[^/]+\\.tsx?$`).test(file));
  expect(named.sort()).toEqual(beside.sort());
});
