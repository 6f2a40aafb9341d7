/** docs/clients.md gives the files of the clients by their roles: each file once. The ways of a push and of a question name files that there are. */
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

test.each(['push', 'question'])('the way of a %s names only files that there are', (name) => {
  const [, way = ''] =
    new RegExp(`\n## The way of a ${name}\n(.*?)\n## `, 's').exec(read('docs/clients.md')) ?? [];
  const steps = way.match(/^\| \d+ \|.*$/gm) ?? [];
  const paths = steps.flatMap((step) =>
    [...step.matchAll(/`([\w/-]+(?:\.tsx?|\/))`/g)].map(([, path]) => path),
  );
  const folders = ['', 'clients/typescript/', 'clients/typescript/import/'];
  const isThere = (path = '') =>
    folders.some((folder) =>
      files.some((file) => (path.endsWith('/') ? file.startsWith(folder + path) : file === folder + path)),
    );
  expect(steps.length).toBeGreaterThan(7);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});
