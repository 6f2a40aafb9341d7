/** What the command prints: no text of a file or of a service drives the terminal, or passes for a line of the command. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entry } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import { startProxy } from '../proxy.ts';
import { directory, newUser, runOnTerminal, writeFile } from './command.ts';

setDefaultTimeout(60_000);

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Each way to a new line, to another colour, to another order and out of sight. The seed of a forged line is FORGED. */
const HOSTILE =
  'a\u001b[2J\u001b]0;title\u0007b\nFORGED\r\nFORGED\rFORGED\u2028FORGED\u0085FORGED\u009b31mc\u007f\td\u202ee\u2066f\u200bg\u{e0001}';

const { run } = await newUser();

/** A user whose source and entry have such texts, which the service accepts. */
async function hostileUser() {
  const user = await newUser();
  const { accountId } = user.account;
  const source = { type: 'uk-property', name: HOSTILE.slice(0, 90), role: 'owner', sharePercent: 100 };
  const { id } = await admin.createSource({ accountId, ...source });
  const entries = [entry({ description: HOSTILE, externalRef: `"${HOSTILE}` })];
  expect((await user.account.post(entries, { source: id })).status).toBe(201);
  return { ...user, id };
}
const hostile = await hostileUser();

/** `shown` has such a text, and is harmless. */
function expectPrintable(shown: string): void {
  expect(shown).toContain('FORGED');
  for (const line of shown.split('\n')) {
    expect(line).not.toMatch(UNPRINTABLE);
    expect(line.trimStart()).not.toStartWith('FORGED');
  }
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const csv = (name: string, ...rows: string[][]) =>
  writeFile(name, rows.map((row) => row.map(quoted).join(',')).join('\n'));

describe('a file with such texts', () => {
  const HEADER = ['Date', 'Description', 'Money in', 'Category'];
  const dryRun = (file: string, ...more: string[]) =>
    run(['push', file, '-s', 'uk-property', '--dry-run', ...more]);

  test.each<[string, string[][], string[]]>([
    ['in a description', [HEADER, ['2026-04-06', HOSTILE, '5', '']], ['--verbose']],
    ['in cells that are invalid', [HEADER, ['2026-04-06', 'a', '5', HOSTILE], [HOSTILE, 'a', '5', '']], []],
    ['in its header', [['Date', HOSTILE, 'x']], []],
    ['in an option', [HEADER], ['--map', `date=${HOSTILE}`]],
    ['in its rules', [HEADER], ['--rules', writeFile('rules.txt', HOSTILE.replace(/[\r\n]/g, ''))]],
  ])('%s', async (where, rows, more) => {
    const { exitCode, out, err } = await dryRun(csv(`hostile ${where}.csv`, ...rows), ...more);
    expect(exitCode).toBeLessThan(4);
    expectPrintable(out + err);
  });

  test('in its own name', async () => {
    const file = csv(HOSTILE.replaceAll('/', ''), HEADER, ['2026-04-06', 'a', '5', '']);
    for (const path of [file, `${file}-missing`]) {
      const { out, err } = await dryRun(path, '--report', path);
      expectPrintable(out + err);
    }
  });
});

describe('a service with such texts', () => {
  const FILE = writeFile('one.csv', 'Date,Money in,Description\n2026-04-06,5,FORGED\n');

  test.each([
    ['sources', '--json'],
    ['sources'],
    ['reconcile', FILE, '-s', hostile.id],
    ['push', FILE, '-s', hostile.id, '--dry-run'],
    // All sources are listed.
    ['pull', '-s', 'none'],
    ['pull', '-s', 'none', '--json'],
  ] as string[][])('%s', async (...args) => {
    const { out, err } = await hostile.run(args);
    expectPrintable(out + err);
  });

  test('in an error', async () => {
    const error = { code: HOSTILE, message: HOSTILE, issues: [{ path: `/${HOSTILE}`, message: HOSTILE }] };
    const refused = { status: 422, body: JSON.stringify({ error }) };
    for (const [where, args] of [
      [/^POST/, ['push', FILE, '-s', 'uk-property', '--yes']],
      [/me$/, ['whoami', '--json']],
    ] as [RegExp, string[]][]) {
      await using proxy = await startProxy(({ method, path }) =>
        where.test(`${method} ${path}`) ? refused : 'pass',
      );
      const { exitCode, out, err } = await run(args, { env: { LEDGER_URL: proxy.url } });
      expect(exitCode).toBe(1);
      expectPrintable(out + err);
    }
  });
});

describe('on a terminal', () => {
  /** The terminal puts a carriage return before each line feed, and CSV has one already. */
  const linesOf = (shown: string) => shown.replace(/\r+\n/g, '\n');

  test('pull shows such texts as escapes; a pipe and a file get them as they are', async () => {
    const args = ['pull', '-s', hostile.id];
    const shown = linesOf((await runOnTerminal(args, hostile.env)).shown);
    expectPrintable(shown);
    expect(shown.trimEnd().split('\n')).toHaveLength(2);
    expectPrintable((await hostile.run([...args, '--json'], { isTTY: true })).out);

    const piped = await hostile.run(args);
    expect(piped.out).toContain(`,"${HOSTILE}","""${HOSTILE}",`);
    const file = join(directory, 'exact.csv');
    await hostile.run([...args, '-o', file]);
    expect(readFileSync(file, 'utf8')).toBe(piped.out);
    const [stored] = (await hostile.run([...args, '--json'])).json();
    expect(stored).toMatchObject({ description: HOSTILE, externalRef: `"${HOSTILE}` });
  });

  test('so does the question before a push', async () => {
    const file = csv('question.csv', ['Date', 'Money in'], ['2026-05-06', '7']);
    const args = ['push', file, '-s', hostile.id];
    const { shown } = await runOnTerminal(args, hostile.env, [['[y/N]', () => 'n\r']]);
    const question = /^.*\[y\/N\]/m.exec(linesOf(shown))?.[0] ?? '';
    // The editor of the line moves the cursor by itself.
    expectPrintable(Bun.stripANSI(question).replaceAll('\r', ''));
    expect(shown).toContain('Nothing was sent.');
  });
});

test('a dumb terminal gets no escape codes', async () => {
  const { account, env } = await newUser();
  const args = ['push', csv('dumb.csv', ['Date', 'Money in'], ['2026-04-06', '5']), '-s', 'uk-property'];
  const on = (TERM: string) => runOnTerminal(args, { ...env, TERM }, [['[y/N]', () => 'y\r']]);
  expect((await on('dumb')).shown).not.toContain('\u001b');
  expect(await account.entries()).toHaveLength(1);
  expect((await on('xterm')).shown).toContain('\u001b[2K');
});

test('only these files write to the terminal themselves', () => {
  const folder = join(import.meta.dir, '../../../clients/cli');
  const writes = /\.write\(|console\./;
  const writers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && writes.test(readFileSync(join(folder, file), 'utf8')),
  );
  // program.ts writes help and a script for the shell, progress.ts numbers, prompt.ts its question, pull.ts the data.
  expect(writers.sort()).toEqual(['output.ts', 'program.ts', 'progress.ts', 'prompt.ts', 'pull.ts']);
});
