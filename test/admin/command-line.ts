/** Runs the operator's command line in this process, and as a process of its own. */
import { runCommand } from '../../admin/commands.ts';
import { readConfig } from '../../admin/config.ts';
import { runToEnd } from '../fixtures/checkout.ts';
import type { Json } from '../fixtures/client.ts';
import { system } from '../fixtures/system.ts';

type Outcome = Awaited<ReturnType<typeof runToEnd>>;

/** Runs `admin <args>` in this process, against the system's Admin service or `address`, with `env` added to this environment. */
export async function run(
  args: string[],
  address = system.adminAddress,
  env = {},
  input: readonly string[] = [],
): Promise<Outcome> {
  let out = '';
  let err = '';
  const terminal = {
    log(line: string) {
      out += `${line}\n`;
    },
    error(line: string) {
      err += `${line}\n`;
    },
    async *[Symbol.asyncIterator]() {
      yield* input;
    },
  };
  const config = () => readConfig({ ...process.env, ...env, LEDGER_ADMIN_ADDRESS: address });
  const exitCode = await runCommand(args, config, terminal);
  return { exitCode, out, err };
}

/** Likewise as an operator does, in a process of its own, with `input` as its standard input. */
export function runProcess(args: string[], input = ''): Promise<Outcome> {
  const env = { ...process.env, LEDGER_ADMIN_ADDRESS: system.adminAddress };
  return runToEnd([process.execPath, 'admin/main.ts', ...args], { env, input });
}

/** Runs `admin <args> --json`, which has to succeed, and parses its one line of output. */
export async function json(...args: string[]): Promise<Json> {
  const { exitCode, out, err } = await run([...args, '--json']);
  if (exitCode !== 0 || err !== '' || !/^[^\n]+\n$/.test(out)) {
    throw new Error(`admin ${args.join(' ')}: ${JSON.stringify({ exitCode, out, err })}`);
  }
  return JSON.parse(out);
}
