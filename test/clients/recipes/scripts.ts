/** Runs the recipes for the command line, Python and bash, each as a process of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canInstall, installServer } from '../../../local/install/server.ts';
import { system } from '../../fixtures/system.ts';

const RECIPES = join(import.meta.dir, '../../../clients/recipes');

export const directory = mkdtempSync(join(tmpdir(), 'ledger-recipes-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

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

/** Installs a program on Debian as root. Elsewhere the tests that need it fail, and this says why. */
export async function requireProgram(name: string): Promise<void> {
  if (Bun.which(name) === null && canInstall()) {
    console.log(`Installing ${name} (apt-get install ${name}) …`);
    const signal = AbortSignal.timeout(120_000);
    await installServer(name, join(directory, 'install.log'), signal).catch(() => {});
  }
  if (Bun.which(name) === null) {
    throw new Error(
      `${name} is missing: these tests run a recipe that needs it. Install it, and run them again.`,
    );
  }
}

export interface ScriptResult {
  exitCode: number;
  out: string;
  err: string;
}

export interface ScriptOptions {
  key: string;
  url?: string;
}

export function spawnScript(command: string[], { key, url = system.url }: ScriptOptions) {
  return Bun.spawn(command, {
    cwd: directory,
    // UTF-8, as every terminal of today.
    env: { PATH: process.env.PATH, HOME: directory, LANG: 'C.UTF-8', LEDGER_URL: url, LEDGER_API_KEY: key },
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

export async function runScript(command: string[], options: ScriptOptions): Promise<ScriptResult> {
  const child = spawnScript(command, options);
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, err };
}

/** @returns the path of a new file */
export function writeFile(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}
