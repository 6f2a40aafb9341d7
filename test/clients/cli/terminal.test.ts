/** What the command prints: no text of a file or of a service drives the terminal, or passes for a line of the command. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import { startProxy } from '../proxy.ts';
import { directory, runLedger, runOnTerminal, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Each way to a new line, to another colour, to another order and out of sight. The seed of a forged line is FORGED. */
const HOSTILE =
  'a\u001b[2J\u001b]0;title\u0007b\nFORGED\r\nFORGED\rFORGED\u2028FORGED\u0085FORGED\u009b31mc\u007f\td\u202ee\u2066f\u200bg\u{e0001}';

const account = await TestAccount.create();
const env = { LEDGER_API_KEY: account.key };

/** `shown` has such a text, and is harmless. */
function expectPrintable(shown: string): void {
  expect(shown).toContain('FORGED');
  expectHarmless(shown);
}

function expectHarmless(shown: string): void {
  for (const line of shown.split('\n')) {
    expect(line).not.toMatch(UNPRINTABLE);
    expect(line.trimStart()).not.toStartWith('FORGED');
  }
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const csv = (name: string, ...rows: string[][]) =>
  writeFile(name, rows.map((row) => row.map(quoted).join(',')).join('\n'));

describe('a file with such texts', () => {
  const HEADER = ['Date', 'Description', 'Amount', 'Category'];
  const options = ['-s', 'uk-property', '--dry-run'];

  test.each<[string, string[][], string[]]>([
    ['in a description', [HEADER, ['2026-04-06', HOSTILE, '5', '']], []],
    ['in a cell that is invalid', [HEADER, ['2026-04-06', 'a', '5', HOSTILE]], []],
    ['in a date', [HEADER, [HOSTILE, 'a', '5', '']], []],
    ['in its header', [['Date', HOSTILE, 'x']], []],
    ['in a column that an option names', [HEADER], ['--map', `date=${HOSTILE}`]],
    ['in the name of a bank', [HEADER], ['--bank', HOSTILE]],
  ])('%s', async (_, rows, more) => {
    const file = csv('hostile.csv', ...rows);
    const args = ['push', file, ...options, ...more];
    const { exitCode, out, err } = await runLedger(args, { env });
    expect(exitCode).toBeLessThan(4);
    expectPrintable(out + err);
    const json = await runLedger([...args, '--json'], { env });
    expectHarmless(json.out + json.err);
  });

  test('in the State of an export of Revolut, which is the reason why a row is skipped', async () => {
    const [header = '', row = ''] = readFileSync(join(import.meta.dir, '../files/revolut.csv'), 'utf8').split(
      '\n',
    );
    const file = writeFile(
      'revolut.csv',
      `${header}\n${row}\n${row.replace('COMPLETED', quoted(HOSTILE))}\n`,
    );
    const result = await runLedger(['push', file, ...options], { env });
    expect(result.err).toContain('1 row is skipped');
    expectPrintable(result.out + result.err);
  });

  test('in its own name', async () => {
    const name = HOSTILE.replaceAll('/', '');
    const file = csv(name, HEADER, ['2026-04-06', 'a', '5', '']);
    for (const path of [file, `${file}-missing`]) {
      const { out, err } = await runLedger(['push', path, ...options, '--report', path], { env });
      expectPrintable(out + err);
    }
  });

  test('in its rules', async () => {
    const file = csv('plain.csv', HEADER, ['2026-04-06', 'a', '5', '']);
    const rules = writeFile('rules.txt', HOSTILE.replace(/[\r\n]/g, ''));
    const { exitCode, out, err } = await runLedger(['push', file, ...options, '--rules', rules], { env });
    expect([exitCode, out]).toEqual([2, '']);
    expectPrintable(err);
  });

  test('that is compared', async () => {
    const file = csv('compared.csv', HEADER, ['2026-04-06', HOSTILE, '5', '']);
    const { out } = await runLedger(['reconcile', file, '-s', 'uk-property'], { env });
    expectPrintable(out);
  });
});

describe('a service with such texts', () => {
  const source = {
    id: `1${HOSTILE}`,
    name: HOSTILE,
    type: HOSTILE,
    countryCode: HOSTILE,
    transactionCount: 1,
  };
  const transaction = {
    ...entry(),
    id: HOSTILE,
    category: HOSTILE,
    description: HOSTILE,
    externalRef: HOSTILE,
  };
  const category = { key: HOSTILE, label: HOSTILE };
  const documents: Record<string, object> = {
    '/me': { accountId: HOSTILE, plan: HOSTILE, note: HOSTILE },
    '/sources': { sources: [source, { ...source, id: 'other' }] },
    '/categories': { income: [category], expense: [] },
    '/transactions': { transactions: [transaction], nextCursor: null },
  };
  const replacing = () =>
    startProxy(({ path }) => {
      const [, document] =
        Object.entries(documents).find(([end]) => path.replace(/\?.*/, '').endsWith(end)) ?? [];
      return { status: 200, body: JSON.stringify(document) };
    });
  const FILE = writeFile('one.csv', 'Date,Amount,Description\n2026-04-06,5,FORGED\n');

  const COMMANDS: string[][] = [
    ['whoami'],
    ['sources'],
    ['categories', 'uk-property'],
    ['reconcile', FILE, '-s', 'other'],
    ['summary', '-s', 'other', '--by', 'category'],
    ['push', FILE, '-s', 'other', '--dry-run'],
    // Of several sources with this name, all are listed.
    ['pull', '-s', HOSTILE],
    ['pull', '-s', 'none'],
  ];
  test.each(COMMANDS)('%s', async (...args) => {
    await using proxy = await replacing();
    const options = { env: { ...env, LEDGER_URL: proxy.url } };
    const { out, err } = await runLedger(args, options);
    expectPrintable(out + err);
    const json = await runLedger([...args, '--json'], options);
    expectHarmless(json.out + json.err);
  });

  test('in an error', async () => {
    const error = { code: HOSTILE, message: HOSTILE, issues: [{ path: `/${HOSTILE}`, message: HOSTILE }] };
    await using proxy = await startProxy(({ method }) =>
      method === 'GET' ? 'pass' : { status: 422, body: JSON.stringify({ error }) },
    );
    await using failing = await startProxy(() => ({ status: 422, body: JSON.stringify({ error }) }));
    const push = ['push', FILE, '-s', 'uk-property', '--yes'];
    for (const [url, args] of [
      [proxy.url, push],
      [proxy.url, [...push, '--json']],
      [failing.url, ['whoami']],
      [failing.url, ['whoami', '--json']],
    ] as const) {
      const { exitCode, out, err } = await runLedger(args, { env: { ...env, LEDGER_URL: url } });
      expect(exitCode).toBe(1);
      expectPrintable(out + err);
    }
  });

  test('in a login that is stored', async () => {
    await using proxy = await replacing();
    const XDG_CONFIG_HOME = join(directory, 'terminal');
    const url = { LEDGER_URL: proxy.url, XDG_CONFIG_HOME };
    expectPrintable((await runLedger(['login'], { env: url, input: 'ledger_live_x' })).out);
    expectPrintable((await runLedger(['logout', '--profile', HOSTILE], { env: url })).out);
    expectPrintable((await runLedger(['whoami', '--profile', HOSTILE], { env: url })).err);
  });
});

describe('on a terminal', () => {
  /** The terminal puts a carriage return before each line feed, and CSV has one already. */
  const linesOf = (shown: string) => shown.replace(/\r+\n/g, '\n');

  test('pull shows such texts as escapes; a pipe and a file get them as they are', async () => {
    const own = await TestAccount.create();
    expect((await own.post([entry({ description: HOSTILE, externalRef: `"${HOSTILE}` })])).status).toBe(201);
    const key = { LEDGER_API_KEY: own.key };
    const args = ['pull', '-s', 'uk-property'];
    const shown = linesOf(await runOnTerminal(args, key));
    expectPrintable(shown);
    expect(shown.trimEnd().split('\n')).toHaveLength(2);
    expectPrintable(linesOf(await runOnTerminal([...args, '--json'], key)));

    const piped = await runLedger(args, { env: key });
    expect(piped.out).toContain(`,"${HOSTILE}","""${HOSTILE}",`);
    const file = join(directory, 'exact.csv');
    await runLedger([...args, '-o', file], { env: key });
    expect(readFileSync(file, 'utf8')).toBe(piped.out);
    const [stored] = (await runLedger([...args, '--json'], { env: key })).json();
    expect(stored).toMatchObject({ description: HOSTILE, externalRef: `"${HOSTILE}` });
  });

  test('so does the question before a push', async () => {
    const { accountId, key } = await TestAccount.create();
    const source = { accountId, type: 'uk-property', role: 'owner', sharePercent: 100 };
    // A name that the service accepts.
    const { id } = await admin.createSource({ ...source, name: HOSTILE.slice(0, 90) });
    const file = csv('question.csv', ['Date', 'Amount'], ['2026-04-06', '5']);
    const shown = await runOnTerminal(['push', file, '-s', id], { LEDGER_API_KEY: key }, [['[y/N]', 'n\r']]);
    const question = linesOf(shown)
      .split('\n')
      .find((line) => line.includes('[y/N]'));
    expect(question).toContain('FORGED');
    // The editor of the line moves the cursor by itself.
    expectPrintable(Bun.stripANSI(question ?? '').replaceAll('\r', ''));
    expect(shown).toContain('Nothing was sent.');
  });
});

test('only these files write to the terminal themselves', () => {
  const folder = join(import.meta.dir, '../../../clients/cli');
  const writes = /\.write\(|console\./;
  const writers = readdirSync(folder).filter((file) => writes.test(readFileSync(join(folder, file), 'utf8')));
  // main.ts writes a script for the shell, progress.ts numbers, prompt.ts its question, pull.ts the data.
  expect(writers.sort()).toEqual(['main.ts', 'output.ts', 'progress.ts', 'prompt.ts', 'pull.ts']);
});
