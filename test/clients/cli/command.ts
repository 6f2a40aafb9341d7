/** Runs the command `ledger`: in this process, or as one of its own where its start, its end, a signal or a terminal is tested. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../../clients/cli/run-command.ts';
import { rowsOf } from '../../fixtures/books.ts';
import { type Json, TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { typedRows } from '../typed-rows.ts';

export const MAIN = join(import.meta.dir, '../../../clients/cli/main.ts');

/** A folder for files and for the configuration of the user. */
export const directory = mkdtempSync(join(tmpdir(), 'ledger-cli-'));
// Several test files share it, so that no file's afterAll may remove it.
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

export interface CommandResult {
  exitCode: number;
  out: string;
  err: string;
  /** The one JSON document on standard output. @throws Error when it is not one */
  json(): Json;
}

export interface CommandOptions {
  env?: Record<string, string>;
  input?: string;
  /** Whether standard output is a terminal. */
  isTTY?: boolean;
  /** A folder whose .env files may be in the environment. */
  cwd?: string;
}

interface ProcessOptions {
  env?: Record<string, string | undefined>;
  input?: string | Uint8Array | Blob;
  cwd?: string;
  /** How it is started, if not as `bun clients/cli/main.ts`. */
  command?: string[];
}

/** The environment has the URL of the service, and no key unless the test gives one. */
const environmentOf = (env: Record<string, string | undefined> = {}) => ({
  PATH: process.env.PATH,
  HOME: directory,
  XDG_CONFIG_HOME: join(directory, 'config'),
  LEDGER_URL: system.url,
  ...env,
});

const resultOf = (exitCode: number, out: string, err: string): CommandResult => ({
  exitCode,
  out,
  err,
  json: () => JSON.parse(out),
});

/** In this process. */
export async function runLedger(
  args: readonly string[],
  { env, input = '', isTTY = false, cwd }: CommandOptions = {},
): Promise<CommandResult> {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY: false });
  const printed = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await runCommand(args, {
    env: environmentOf(env),
    execArgv: cwd === undefined ? ['--no-env-file'] : [],
    cwd: () => cwd ?? directory,
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
  });
  for (const stream of [stdout, stderr]) stream.end();
  return resultOf(exitCode, ...(await printed));
}

export function spawnLedger(
  args: readonly string[],
  { env, input = '', cwd = directory, command = [process.execPath, MAIN] }: ProcessOptions = {},
) {
  return Bun.spawn([...command, ...args], {
    cwd,
    env: environmentOf(env),
    stdin: input instanceof Blob ? input : Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** As a process of its own, or another program in its place. */
export async function runProcess(args: readonly string[], options?: ProcessOptions): Promise<CommandResult> {
  const child = spawnLedger(args, options);
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return resultOf(await child.exited, out, err);
}

/** A user with an account of their own, whose key is in the environment. */
export async function newUser() {
  const account = await TestAccount.create();
  const env = { LEDGER_API_KEY: account.key };
  const run = (args: readonly string[], options: CommandOptions = {}) =>
    runLedger(args, { ...options, env: { ...env, ...options.env } });
  /** Exit code, notes and document of a push that does not ask. */
  const push = async (file: string, source = 'uk-property', ...more: string[]) => {
    const { exitCode, err, json } = await run(['push', file, '-s', source, '--yes', '--json', ...more]);
    return { exitCode, err, ...json() };
  };
  return { account, env, run, push };
}

/** Rules of two properties and a business, with the columns of a bank account, and a statement. */
export const RULES = `
description contains "MILL LANE" -> uk-property / periodAmount
description starts with "AGENT" -> uk-property / split: expense professionalFees 12 % of gross, rest periodAmount
description contains "CLIENT" -> self-employment / turnover
description is "TRANSFER" -> leave out
otherwise -> ask
columns in csv "Date,Description,Amount" from 2026-09-30: amount=Amount
`;
export const ROWS = ['2026-10-01,RENT MILL LANE,900', '2026-10-02,AGENT 7,836', '2026-10-03,TRANSFER,-500'];

/** A user with a configuration of their own, and rules in a file. */
export async function landlord(ruleLines = RULES) {
  const user = await newUser();
  const { accountId, sources } = user.account;
  const env = newConfig();
  const rules = writeFile(`rules-${accountId}.txt`, ruleLines);
  const run = (...args: string[]) => user.run(args, { env });
  /** Exit code, notes and document. */
  const json = async (...args: string[]) => {
    const { exitCode, err, json } = await run(...args, '--json');
    return { exitCode, err, ...json() };
  };
  const stored = async () => {
    const names = new Map(Object.entries(sources).map(([name, id]) => [id, name]));
    return (await rowsOf(accountId))
      .map(({ type, amountPence, category, sourceId }) => {
        return `${names.get(sourceId)} ${category} ${type === 'income' ? '' : '-'}${amountPence}`;
      })
      .sort();
  };
  return { ...user, ledger: user.run, env, run, json, rules, stored };
}

/** The path of a bank statement in CSV. */
export const statementOf = (name: string, ...rows: string[]) =>
  writeFile(name, [...typedRows('Date,Description,Amount', rows), ''].join('\n'));

/** Each command that asks the service. */
export const askingCommands = (file: string) => [
  ...[['whoami'], ['sources'], ['categories'], ['push', file, '-s', 'uk-property', '--yes']],
  ...['pull', 'summary'].map((name) => [name, '-s', 'uk-property']),
  ['reconcile', file, '-s', 'uk-property'],
];

/** The environment of another configuration, as on another machine. */
export const newConfig = () => ({ XDG_CONFIG_HOME: mkdtempSync(join(directory, 'config-')) });

/** @returns the path of a file in `directory` */
export function writeFile(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** Runs the command on a terminal of 120 columns, and gives each answer once its question is there. @returns what the terminal got, and the exit code */
export async function runOnTerminal(
  args: readonly string[],
  env: Record<string, string>,
  answers: [question: string, answer: () => string | Promise<string>][] = [],
): Promise<{ shown: string; exitCode: number }> {
  const decoder = new TextDecoder();
  const open = [...answers];
  let shown = '';
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    cwd: directory,
    env: environmentOf({ TERM: 'xterm', ...env }),
    terminal: {
      cols: 120,
      rows: 50,
      data(terminal, bytes) {
        shown += decoder.decode(bytes, { stream: true });
        const [next] = open;
        if (!next || !shown.includes(next[0])) return;
        open.shift();
        void Promise.resolve(next[1]()).then((answer) => terminal.write(answer));
      },
    },
  });
  const exitCode = await child.exited;
  child.terminal?.close();
  return { shown, exitCode };
}
