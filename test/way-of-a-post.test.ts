/** docs/architecture.md names the files of a POST: a file that gateway or worker loads is on the way, or is named as not on it. */
import { expect, test } from 'bun:test';
import { reach, read } from './fixtures/imports.ts';

// The goals of its length.
const FILES_MAX = 43;
const LINES_MAX = 5_100;

const [, way = '', others = ''] =
  /\n## The way of a POST\n(.*?)\n### Not on the way\n(.*?)\n## /s.exec(read('docs/architecture.md')) ?? [];
const pathsIn = (text: string) =>
  [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)*(?:\.ts|\/))`/g)].map(([, path = '']) => path);
const onTheWay = [...new Set(pathsIn(way))].filter((path) => path.endsWith('.ts'));
const excluded = pathsIn(others.replace(/^[^|].*/gm, ''));

const loaded = reach(['gateway/main.ts', 'ledger-worker/main.ts']).files.filter(
  (file) => /(?<!\.d)\.ts$/.test(file) && !file.startsWith('proto/generated/'),
);
const isExcluded = (file: string) =>
  excluded.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path));

test('each file that the two processes load is on the way of a POST or named as not on it, and no other is named', () => {
  expect(onTheWay.filter((file) => !loaded.includes(file) || isExcluded(file))).toEqual([]);
  expect(loaded.filter((file) => !onTheWay.includes(file) && !isExcluded(file))).toEqual([]);
  expect(excluded.filter((path) => !loaded.some((file) => file.startsWith(path)))).toEqual([]);
});

test('a reader of the way opens few files', () => {
  const lines = onTheWay.reduce((sum, file) => sum + read(file).trimEnd().split('\n').length, 0);
  expect(onTheWay.length).toBeLessThanOrEqual(FILES_MAX);
  expect(lines).toBeLessThanOrEqual(LINES_MAX);
});
