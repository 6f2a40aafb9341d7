/** docs/clients.md gives the files of the clients by their roles: each file once. */
import { expect, test } from 'bun:test';
import { dirname } from 'node:path';
import { files, read } from './fixtures/imports.ts';

const [, section = ''] = /\n## The files of the clients\n(.*)/s.exec(read('docs/clients.md')) ?? [];
const tables = section.split('\n### ').slice(1);

test('three programs and the main folders of the library have a table', () => {
  const folders = tables.map((text) => /`(.+?)\/`/.exec(text)?.[1]);
  const ofReader = files.flatMap((file) =>
    /^clients\/typescript\/import\/.*\.ts$/.test(file) ? dirname(file) : [],
  );
  const ofLibrary = ['figures', 'match', 'send', 'reconciliation'].map(
    (folder) => `clients/typescript/${folder}`,
  );
  const all = [...ofReader, ...ofLibrary, 'clients/cli', 'clients/mcp', 'clients/web/import'];
  expect(folders.toSorted()).toEqual([...new Set(all)].toSorted());
});

test.each(tables)('%s', (text) => {
  const folder = /`(.+?)\/`/.exec(text)?.[1] as string;
  const rows = text.match(/^\| `.*?\|/gm)?.join('') ?? '';
  const named = [...rows.matchAll(/`([\w.-]+\.tsx?)`/g)].map(([, name]) => `${folder}/${name}`);
  const beside = files.filter((file) => new RegExp(`^${folder}/[^/]+\\.tsx?$`).test(file));
  expect(named.sort()).toEqual(beside.sort());
});
