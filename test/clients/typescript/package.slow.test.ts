/** The npm package: its tarball works in Node. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestAccount } from '../../fixtures/client.ts';
import { blocksOf } from '../../fixtures/examples.ts';
import { system } from '../../fixtures/system.ts';
import { startAssistant } from '../mcp/assistant.ts';
import { startProxy } from '../proxy.ts';

setDefaultTimeout(120_000);

const ROOT = join(import.meta.dir, '../../..');
const PACKAGE = join(ROOT, 'clients/typescript');
const directory = mkdtempSync(join(tmpdir(), 'ledger-package-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a program to its end. @throws Error with its output when it fails */
async function run(command: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...process.env, npm_config_cache: join(directory, 'npm-cache'), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed: ${out}${err}`);
  return out;
}

const PROGRAM = `
import { Ledger } from 'bookkeeping-ledger';
import { readImportFile } from 'bookkeeping-ledger/import';

const ledger = new Ledger({ url: process.env.LEDGER_URL, apiKey: process.env.LEDGER_API_KEY });
const [source] = await ledger.sources();
const entries = [1, 2, 3].map((n) => ({ date: '2026-04-06', type: 'income', amountPence: n, externalRef: 'node-' + n }));
const { created } = await ledger.push(source.id, entries);
const again = await ledger.push(source.id, entries);
const read = [];
for await (const { amountPence } of ledger.transactions(source.id)) read.push(amountPence);
const { code } = await ledger.push('nowhere', entries).catch((error) => error);
const statement = await readImportFile(new TextEncoder().encode('Date,Money in\\n2026-04-06,5\\n'));
const pence = statement.entries[0].entry.amountPence;
console.log(JSON.stringify({ pence, created, deduplicated: again.deduplicated, read: read.sort(), code }));
`;

const TYPED = `
import { type ComparedFiles, Ledger, type NewTransaction, type Outcome, pushCompared } from 'bookkeeping-ledger';
import { type RowCorrection, readImportFile } from 'bookkeeping-ledger/import';

const ledger = new Ledger({ url: 'http://localhost:3000', apiKey: 'x' });
const entry: NewTransaction = { date: '2026-04-06', type: 'income', amountPence: 1 };
export const outcomes: Promise<Outcome[]> = ledger.push('id', [entry]).then(({ outcomes }) => outcomes);
const corrections = new Map<number, RowCorrection>([[2, { amount: '5' }]]);
export const rowCount: Promise<number> = readImportFile(new Uint8Array(1), { corrections }).then(({ rowCount }) => rowCount);
// @ts-expect-error amountPence is required
export const incomplete: NewTransaction = { date: '2026-04-06', type: 'income' };
export const pushed = (compared: ComparedFiles) => pushCompared(ledger, compared, { wait: false });
// @ts-expect-error a key is for the entries of one request
export const keyed = (compared: ComparedFiles) => pushCompared(ledger, compared, { idempotencyKey: 'key' });
`;

let tarball = '';
beforeAll(async () => {
  await run([process.execPath, 'build.ts'], PACKAGE);
  const [packed] = JSON.parse(
    await run(['npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', directory], PACKAGE),
  );
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  tarball = packed.filename;
  await run(['npm', 'install', '--offline', '--no-audit', `./${tarball}`], directory);
});

const NODE = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];

/** What a compiler prints of files, with the options of a strict project. */
async function compile(files: string[], options: string[], compiler = 'typescript'): Promise<string> {
  const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const all = ['--noEmit', '--skipDefaultLibCheck', '--target', 'esnext', ...strict, ...options, ...files];
  return run([process.execPath, tsc, ...all], directory).catch(({ message }) => message);
}

test('the tarball, installed in an empty folder, works in Node', async () => {
  writeFileSync(join(directory, 'program.js'), PROGRAM);
  const account = await TestAccount.create();
  const env = { LEDGER_URL: system.url, LEDGER_API_KEY: account.key };
  expect(JSON.parse(await run(['node', 'program.js'], directory, env))).toEqual({
    pence: 500,
    created: 3,
    deduplicated: 3,
    read: [1, 2, 3],
    code: 'source_not_found',
  });
});

test('its first example runs as it is in a folder of `npm init -y`', async () => {
  const folder = join(directory, 'initialised');
  mkdirSync(folder);
  await run(['npm', 'init', '-y'], folder);
  await run(['npm', 'install', '--offline', '--no-audit', `../${tarball}`], folder);
  const readme = readFileSync(join(folder, 'node_modules/bookkeeping-ledger/README.md'), 'utf8');
  const [first] = blocksOf(readme).filter(({ language }) => language === 'ts');
  const [, name = ''] = /Save this as `([^`]+)`/.exec(readme) ?? [];
  writeFileSync(join(folder, name), first?.text ?? '');
  const { key } = await TestAccount.create();
  const env = { LEDGER_URL: system.url, LEDGER_API_KEY: key };
  for (const [program, printed] of [
    ['node', '1 0\n2026-04-06 45000\n'],
    [process.execPath, '0 1\n2026-04-06 45000\n'],
  ] as const)
    expect(await run([program, name], folder, env)).toBe(printed);
});

test('it can be required, and its types resolve for CommonJS and for the resolution of Node 10', async () => {
  const required = PROGRAM.replace(/import (.*) from ('.*')/g, 'const $1 = require($2)');
  writeFileSync(join(directory, 'required.cjs'), `(async () => {${required}})()`);
  const { key } = await TestAccount.create();
  const env = { LEDGER_URL: system.url, LEDGER_API_KEY: key };
  expect(JSON.parse(await run(['node', 'required.cjs'], directory, env))).toMatchObject({ created: 3 });
  writeFileSync(join(directory, 'typed.cts'), TYPED);
  writeFileSync(join(directory, 'typed.ts'), TYPED);
  const lib = ['--lib', 'esnext,dom'];
  for (const [file, ...options] of [
    ['typed.cts', '--module', 'node16'],
    ['typed.ts', '--module', 'commonjs', '--moduleResolution', 'node10'],
  ] as const)
    expect([file, await compile([file], [...options, ...lib], 'typescript-5')]).toEqual([file, '']);
});

test('its README has an install line, no link to a page that it lacks, and examples that run; they and its types compile', async () => {
  const readme = readFileSync(join(directory, 'node_modules/bookkeeping-ledger/README.md'), 'utf8');
  expect(readme).toContain(`npm install ./${tarball}`);
  expect(readme).not.toMatch(/\]\((?!https:)/);
  const account = await TestAccount.create();
  const env = { LEDGER_URL: system.url, LEDGER_API_KEY: account.key };
  writeFileSync(join(directory, 'statement.csv'), 'Date,Description,Money in\n2026-04-06,Rent,950.00\n');
  const examples = blocksOf(readme).filter(({ language }) => language === 'ts');
  const printed: string[] = [];
  const files = ['typed.ts'];
  writeFileSync(join(directory, 'typed.ts'), TYPED);
  for (const [index, { text }] of examples.entries()) {
    const file = `example-${index}.ts`;
    files.push(file);
    writeFileSync(join(directory, file), text);
    printed.push(await run([process.execPath, file], directory, env));
  }
  expect(printed).toEqual(['1 0\n2026-04-06 45000\n', '', '1 0 0\n', '1 0\n']);
  const options = ['--module', 'nodenext', '--lib', 'esnext,dom'];
  expect(await compile(files, [...options, ...NODE])).toBe('');
  expect(await compile(['typed.ts'], options, 'typescript-5')).toBe('');
});

test('its command takes nothing from the files of the current folder', async () => {
  const account = await TestAccount.create();
  await using theirs = await startProxy();
  const cwd = join(directory, 'unpacked');
  mkdirSync(cwd);
  for (const name of ['.env', '.env.local', '.env.production'])
    writeFileSync(join(cwd, name), `LEDGER_URL=${theirs.url}\nLEDGER_API_KEY=ledger_live_theirs\n`);
  writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(cwd, 'preload.ts'), 'throw new Error("preloaded");\n');
  const env = { XDG_CONFIG_HOME: join(directory, 'config'), NODE_ENV: 'production' };
  const ledger = join(directory, 'node_modules/.bin/ledger');
  const login = ['sh', '-c', `printf %s "$KEY" | ${ledger} login --url ${system.url}`];
  await run(login, cwd, { ...env, KEY: account.key });
  const { accountId } = JSON.parse(await run([ledger, 'whoami', '--json'], cwd, env));
  expect([accountId, theirs.requests]).toEqual([account.accountId, []]);
});

test('its server for assistants runs in Node', async () => {
  const account = await TestAccount.create();
  const command: [string] = [join(directory, 'node_modules/.bin/ledger-mcp')];
  await using assistant = await startAssistant(account.key, { command });
  expect((await assistant.do('list_sources')).sources.count).toBe(3);
});

test('library and programs call no method that Node 20 lacks', async () => {
  const newer = join(directory, 'newer.ts');
  writeFileSync(newer, 'export const groups = Map.groupBy([1], String);\n');
  const library = ['index.ts', 'import/index.ts', 'import/files/saxen.d.ts'];
  const programs = [...library.map((file) => `typescript/${file}`), 'cli/main.ts', 'mcp/main.ts'];
  const printed = await compile(
    [newer, ...[...programs, '../gateway/api/markdown.d.ts'].map((file) => join(ROOT, 'clients', file))],
    [
      ...[...NODE, '--skipLibCheck', '--module', 'preserve', '--moduleResolution', 'bundler'],
      ...['--resolveJsonModule', '--allowImportingTsExtensions'],
      ...['--lib', 'ES2023,ES2024.String,DOM,DOM.Iterable,DOM.AsyncIterable'],
    ],
  );
  expect(printed.match(/error TS.*/g)).toEqual([expect.stringContaining("'groupBy' does not exist")]);
  // The types of browsers have it, and Node has it since 22.1.
  const dist = join(directory, 'node_modules/bookkeeping-ledger/dist');
  const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  expect(modules).toContain('cli.js');
  const texts = modules.map((file) => readFileSync(join(dist, file), 'utf8'));
  expect(texts.filter((text) => text.includes('URL.parse('))).toEqual([]);
});
