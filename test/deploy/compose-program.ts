/** Docker Compose: that of this machine, or as root on Debian that of a later Debian, unpacked into a folder. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEndOfRun } from '../fixtures/end-of-run.ts';

const SUITE = 'forky';
const PROGRAM = 'usr/libexec/docker/cli-plugins/docker-compose';

/** @returns its output. @throws Error with the output of a program that fails */
export function run(command: readonly string[], cwd?: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: cwd ?? '.' });
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`);
  return stdout.toString();
}

/** The words that start it. */
export function composeProgram(): string[] {
  const docker = Bun.which('docker');
  if (docker && Bun.spawnSync([docker, 'compose', 'version']).exitCode === 0) return [docker, 'compose'];
  const folder = mkdtempSync(join(tmpdir(), 'ledger-compose-'));
  atEndOfRun.push(async () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, name), { recursive: true });
  const [mirror = ''] = run(['apt-get', 'indextargets', '--format', '$(REPO_URI)']).split('\n');
  writeFileSync(join(folder, 'sources'), `deb ${mirror} ${SUITE} main\n`);
  // Nothing of this machine's own lists of packages is changed.
  const settings = [
    `Dir::Etc::sourcelist=${folder}/sources`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${folder}/lists`,
    `Dir::Cache=${folder}/cache`,
  ];
  const apt = ['apt-get', ...settings.flatMap((setting) => ['-o', setting])];
  run([...apt, 'update']);
  run([...apt, 'download', 'docker-compose'], folder);
  const archive = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
  run(['dpkg', '--extract', archive, 'root'], folder);
  return [join(folder, 'root', PROGRAM)];
}
