/** The environment of gateway and worker: documented, and read as it is written. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig as readCommandLineConfig } from '../admin/config.ts';
import { readConfig as readGatewayConfig } from '../gateway/config.ts';
import { readConfig as readWorkerConfig } from '../ledger-worker/config.ts';

const ROOT = join(import.meta.dir, '..');
const DATABASE_URL = 'postgres://someone:s3cret@127.0.0.1:1/books';
const PAGE = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');

type Environment = Record<string, string>;

/** The rows of the table of variables under `heading`, as texts: variable, default, value, meaning. */
function rowsUnder(heading: string): string[][] {
  const section = PAGE.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| (`[A-Z_]+` .*) \|$/gm)];
  return rows.map(([, cells = '']) => cells.split(' | '));
}

/** The variables under `heading`, each with its default as the table shows it. */
function documented(heading: string): Record<string, string> {
  return Object.fromEntries(rowsUnder(heading).map(([name = '', value = '']) => [name.slice(1, -1), value]));
}

/** The variables that a process reads, each with its default; `required` must be given, and has none. */
function defaults(read: (env: Environment) => object, required: Environment = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(read(required)).map(([name, value]) => {
      if (name in required) return [name, '(required)'];
      return [name, value === undefined ? '(none)' : `\`${value}\``];
    }),
  );
}

describe('docs/configuration.md lists every variable with its default, and no other:', () => {
  test.each([
    ['Gateway', defaults(readGatewayConfig)],
    ['Ledger worker', defaults(readWorkerConfig, { DATABASE_URL })],
    ['Command line', defaults(readCommandLineConfig)],
    ['Local start', variablesOfLocalStart()],
  ])('%s', (heading, expected) => {
    expect(Object.keys(expected).length).toBeGreaterThan(2);
    expect(documented(heading)).toEqual(expected);
  });

  test('each with its value and its meaning, and times in milliseconds', () => {
    const tables = ['Gateway', 'Ledger worker', 'Command line', 'Local start'].map(rowsUnder);
    for (const [name = '', , value = '', meaning = '', ...more] of tables.flat()) {
      expect([name, more]).toEqual([name, []]);
      expect([name, value]).toEqual([name, expect.stringMatching(/\S/)]);
      expect([name, meaning]).toEqual([name, expect.stringMatching(/\.$/)]);
      if (name.endsWith('_MS`')) expect([name, value]).toEqual([name, 'milliseconds']);
    }
  });
});

/** `bun run start` has no reader of its environment. All of its variables are optional. */
function variablesOfLocalStart(): Record<string, string> {
  const files = readdirSync(join(ROOT, 'local'), { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, 'local', file), 'utf8'));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/process\.env\.([A-Z_]+)/g)].map(([, name]) => name),
  );
  return Object.fromEntries(names.filter((name) => name !== 'PATH').map((name) => [name, '(none)']));
}

test.each([
  ['one:1', { nodes: [['one', 1]], isEncrypted: false, username: undefined, password: undefined }],
  [
    'one:1, 10.0.0.1:2,[::1]:3',
    {
      nodes: [
        ['one', 1],
        ['10.0.0.1', 2],
        ['::1', 3],
      ],
      isEncrypted: false,
      username: undefined,
      password: undefined,
    },
  ],
  [
    'rediss://limits:a%40b%2F%2C@one:1,two:2',
    {
      nodes: [
        ['one', 1],
        ['two', 2],
      ],
      isEncrypted: true,
      username: 'limits',
      password: 'a@b/,',
    },
  ],
])('REDIS_CLUSTER=%s is read as what it says', (text, expected) => {
  const { nodes = [], ...access } = readGatewayConfig({ REDIS_CLUSTER: text }).REDIS_CLUSTER ?? {};
  expect({ nodes: nodes.map(({ host, port }) => [host, port]), ...access }).toEqual(expected as never);
});

test.each([
  ['https://books.example', ['https://books.example']],
  [
    ' http://localhost:5173 ,https://my_app.example:8443, http://[::1]:8080',
    ['http://localhost:5173', 'https://my_app.example:8443', 'http://[::1]:8080'],
  ],
  ['chrome-extension://abcdefghijklmnop', ['chrome-extension://abcdefghijklmnop']],
])('CORS_ORIGINS=%s is read as what it says', (text, expected) => {
  expect(readGatewayConfig({ CORS_ORIGINS: text }).CORS_ORIGINS).toEqual(expected);
});

test('the configuration is frozen once it is read', () => {
  const config = readGatewayConfig({}) as { PORT: number };
  expect(() => {
    config.PORT = 1;
  }).toThrow();
  expect(config.PORT).toBe(3000);
});
