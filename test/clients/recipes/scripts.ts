/** Runs the recipes for the command line, Python and bash, each as a process of its own. */
import { join } from 'node:path';
import { system } from '../../fixtures/system.ts';
import { type CommandResult, runLedger, spawnLedger } from '../cli/command.ts';

const RECIPES = join(import.meta.dir, '../../../clients/recipes');

export interface Script {
  name: string;
  push(file: string, source: string): string[];
  list(source: string, from?: string, to?: string): string[];
  sources(): string[];
}

const python = ['python3', join(RECIPES, 'python/ledger.py')];
const bash = ['bash', join(RECIPES, 'bash/ledger.sh')];

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
  env: { LANG: 'C.UTF-8', LEDGER_URL: url, LEDGER_API_KEY: key },
});

export const spawnScript = (command: string[], options: ScriptOptions) =>
  spawnLedger([], optionsOf(command, options));

export const runScript = (command: string[], options: ScriptOptions): Promise<CommandResult> =>
  runLedger([], optionsOf(command, options));
