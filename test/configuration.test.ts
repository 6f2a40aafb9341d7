/** The environment of gateway and worker: documented, and read as it is written. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig as readGatewayConfig } from '../gateway/config.ts';
import { readConfig as readWorkerConfig } from '../ledger-worker/config.ts';

const ROOT = join(import.meta.dir, '..');
const DATABASE_URL = 'postgres://someone:s3cret@127.0.0.1:1/books';
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

type Environment = Record<string, string>;

/** The variables that the table under `heading` documents, each with its default as the table shows it. */
function documented(heading: string): Record<string, string> {
  const section = README.split(/^#{2,3} /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| `([A-Z_]+)` \| (.+?) \|/gm)];
  return Object.fromEntries(rows.map(([, name, value]) => [name, value]));
}

/** The same, as the process reads it; `required` has to be given, and has no default. */
function defaults(read: (env: Environment) => object, required: Environment = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(read(required)).map(([name, value]) => {
      if (name in required) return [name, '(required)'];
      return [name, value === undefined ? '(none)' : `\`${value}\``];
    }),
  );
}

describe('README.md lists every variable with its default, and no other:', () => {
  test('gateway', () => {
    const expected = defaults(readGatewayConfig);
    expect(Object.keys(expected).length).toBeGreaterThan(5);
    expect(documented('Gateway')).toEqual(expected);
  });

  test('ledger worker', () => {
    const expected = defaults(readWorkerConfig, { DATABASE_URL });
    expect(Object.keys(expected).length).toBeGreaterThan(5);
    expect(documented('Ledger worker')).toEqual(expected);
  });

  test('the command line', () => {
    expect(README).toContain('`LEDGER_ADMIN_ADDRESS` (default `127.0.0.1:50052`)');
  });
});

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
