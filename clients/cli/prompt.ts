/** Asks questions on the terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { printable } from '../../platform/terminal.ts';
import { hasEscapes, type Io } from '../settings/io.ts';
import { CliError, EXIT, usageError } from './exit.ts';
import { print } from './output.ts';

/** Asks on the terminal, on standard error. @throws CliError without a terminal */
export async function confirm(question: string, io: Io): Promise<boolean> {
  if (!io.stdin.isTTY) throw usageError('There is no terminal to ask on: add --yes to go on.');
  return /^y(es)?$/i.test(await readLine(`${question} [y/N] `, io));
}

/** Asks for one of the numbered choices. Undefined for an empty line. */
export async function askChoice<Value>(
  title: string,
  choices: readonly { value: Value; text: string }[],
  io: Io,
): Promise<Value | undefined> {
  print(io.stderr, [
    ...(title === '' ? [] : [`${title} is`]),
    ...choices.map(({ text }, index) => `  ${index + 1}  ${text}`),
  ]);
  for (;;) {
    const line = await readLine(`Answer [1-${choices.length}, or nothing to stop] `, io);
    if (line === '') return undefined;
    const choice = /^\d+$/.test(line) ? choices[Number(line) - 1] : undefined;
    if (choice) return choice.value;
  }
}

async function readLine(prompt: string, io: Io): Promise<string> {
  const { stdin, stderr } = io;
  const line = createInterface({ input: stdin, output: stderr, terminal: hasEscapes(io) });
  try {
    return (await line.question(printable(prompt))).trim();
  } catch {
    throw interrupted(stderr);
  } finally {
    line.close();
  }
}

/** A secret: typed without echo, or the first line of standard input. */
export async function readSecret(prompt: string, { stdin, stderr }: Io): Promise<string> {
  if (!stdin.isTTY) {
    const line = createInterface({ input: stdin });
    for await (const text of line) return text.trim();
    return '';
  }
  stderr.write(printable(prompt));
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return (await line.question('')).trim();
  } catch {
    throw interrupted(stderr);
  } finally {
    line.close();
    stderr.write('\n');
  }
}

/** The error that ends the command after Ctrl-C or Ctrl-D at a prompt. */
function interrupted(stderr: NodeJS.WritableStream): CliError {
  stderr.write('\n');
  return new CliError(EXIT.STOPPED, 'Stopped. Nothing was sent.', 'interrupted');
}
