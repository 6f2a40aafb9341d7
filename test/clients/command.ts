/** Runs the command `ledger` as a process of its own. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../fixtures/client.ts';
import { system } from '../fixtures/system.ts';

const MAIN = join(import.meta.dir, '../../clients/cli/main.ts');

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
  /** Standard input; by default it is empty. */
  input?: string | Uint8Array;
}

/** The environment has the URL of the service, and no key unless the test gives one. */
export function spawnLedger(args: readonly string[], { env = {}, input = '' }: CommandOptions = {}) {
  return Bun.spawn([process.execPath, MAIN, ...args], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      HOME: directory,
      XDG_CONFIG_HOME: join(directory, 'config'),
      LEDGER_URL: system.url,
      ...env,
    },
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

export async function runLedger(args: readonly string[], options?: CommandOptions): Promise<CommandResult> {
  const child = spawnLedger(args, options);
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, err, json: () => JSON.parse(out) };
}

/** @returns the path of a new file in `directory` */
export function writeFile(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}
