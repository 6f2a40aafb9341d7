/** docs/clients.md gives the files of the clients by their roles: each file once. */
import { expect, test } from 'bun:test';
import { dirname } from 'node:path';
import { files, read } from './fixtures/imports.ts';

const [, section = ''] = /\n## The files of the clients\n(.*)/s.exec(read('docs/clients.md')) ?? [];
const tables = section.split('\n### ').slice(1);

test('programs of many files have a table for each folder', () => {
  const folders = tables.map((text) => /`(.+?)\/`/.exec(text)?.[1]);
  const ofLibrary = ['match', 'send', 'reconciliation'].map((folder) => `clients/typescript/${folder}`);
  const programs = [
    'clients/cli',
    'clients/mcp',
    'clients/web/import',
    'clients/web/books',
    'clients/web/page',
  ];
  const isOf = (file: string) => programs.some((program) => file.startsWith(`${program}/`));
  const ofPrograms = files.filter((file) => isOf(file) && /\.tsx?$/.test(file)).map((file) => dirname(file));
  expect(folders.toSorted()).toEqual([...ofLibrary, ...new Set(ofPrograms)].sort());
});

test.each(tables)('%s', (text) => {
  const folder = /`(.+?)\/`/.exec(text)?.[1] as string;
  const rows = text.match(/^\| `.*?\|/gm)?.join('') ?? '';
  const named = [...rows.matchAll(/`([\w-]+\.tsx?)`/g)].map(([, name]) => `${folder}/${name}`);
  const beside = files.filter((file) => new RegExp(`^${folder}/[^/]+\\.tsx?$`).test(file));
  expect(named.sort()).toEqual(beside.sort());
});
