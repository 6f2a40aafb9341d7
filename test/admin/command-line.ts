/** Runs the operator's command line in this process, and as a process of its own. */
import { join } from 'node:path';
import { runCommand } from '../../admin/commands.ts';
import { readConfig } from '../../admin/config.ts';
import type { Json } from '../fixtures/client.ts';
import { system } from '../fixtures/system.ts';

const MAIN = join(import.meta.dir, '../../admin/main.ts');

export interface Outcome {
  exitCode: number;
  out: string;
  err: string;
}

/** Runs `admin <args>` in this process, against the system's Admin service or `address`, with `env` added to this environment. */
export async function run(args: string[], address = system.adminAddress, env = {}): Promise<Outcome> {
  let out = '';
  let err = '';
  const terminal = {
    log(line: string) {
      out += `${line}\n`;
    },
    error(line: string) {
      err += `${line}\n`;
    },
    async *[Symbol.asyncIterator]() {},
  };
  const config = () => readConfig({ ...process.env, ...env, LEDGER_ADMIN_ADDRESS: address });
  const exitCode = await runCommand(args, config, terminal);
  return { exitCode, out, err };
}

/** Likewise as an operator does, in a process of its own, with `input` as its standard input. */
export async function runProcess(args: string[], input = ''): Promise<Outcome> {
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    env: { ...process.env, LEDGER_ADMIN_ADDRESS: system.adminAddress },
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, err };
}

/** Runs `admin <args> --json`, which has to succeed, and parses its one line of output. */
export async function json(...args: string[]): Promise<Json> {
  const { exitCode, out, err } = await run([...args, '--json']);
  if (exitCode !== 0 || err !== '' || !/^[^\n]+\n$/.test(out)) {
    throw new Error(`admin ${args.join(' ')}: ${JSON.stringify({ exitCode, out, err })}`);
  }
  return JSON.parse(out);
}
