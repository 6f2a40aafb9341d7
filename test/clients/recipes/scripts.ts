/** Runs the programs for the command line, the example in Python and the recipe in bash, each as a process of its own. */
import { join } from 'node:path';
import { PYTHON_ENV } from '../../fixtures/python.ts';
import { system } from '../../fixtures/system.ts';
import { type CommandResult, runProcess, spawnLedger } from '../cli/command.ts';

const CLIENTS = join(import.meta.dir, '../../../clients');

interface Script {
  name: string;
  push(file: string, source: string): string[];
  list(source: string, from?: string, to?: string): string[];
  sources(): string[];
}

const python = ['python3', join(CLIENTS, 'python/examples/ledger.py')];
const bash = ['bash', join(CLIENTS, 'recipes/bash/ledger.sh')];

export const SCRIPTS: Script[] = [
  {
    name: 'Python',
    push: (file, source) => [...python, 'push', file, '--source', source],
    list: (source, from, to) => [
      ...[...python, 'list', '--source', source],
      ...(from ? ['--from', from] : []),
      ...(to ? ['--to', to] : []),
    ],
    sources: () => [...python, 'sources'],
  },
  {
    name: 'bash',
    push: (file, source) => [...bash, 'push', source, file],
    list: (source, from = '', to = '') => [...bash, 'list', source, from, to],
    sources: () => [...bash, 'sources'],
  },
];

export interface ScriptOptions {
  key: string;
  url?: string;
}

// UTF-8, as every terminal of today.
const optionsOf = (command: string[], { key, url = system.url }: ScriptOptions) => ({
  command,
  env: { ...PYTHON_ENV, LANG: 'C.UTF-8', LEDGER_URL: url, LEDGER_API_KEY: key },
});

export const spawnScript = (command: string[], options: ScriptOptions) =>
  spawnLedger([], optionsOf(command, options));

export const runScript = (command: string[], options: ScriptOptions): Promise<CommandResult> =>
  runProcess([], optionsOf(command, options));
