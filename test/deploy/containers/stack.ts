/** The service in containers, the load on it, and what its database has. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKeys, ROOT, succeed } from './commands.ts';
import type { LoadOptions, LoadReport } from './load.ts';

const ENGINE = join(import.meta.dir, 'engine.sh');
/** Is kept from one run to the next: the root file system takes minutes. */
const WORK = process.env.CONTAINERS_DIRECTORY ?? '/var/tmp/ledger-containers';
const URL = 'http://127.0.0.1:3000';
/** A project and a password of its own: what runs on this machine under the usual name keeps its containers and its data. */
const PASSWORD_FILE = join(WORK, 'postgres-password');
export const PASSWORD = crypto.randomUUID();
const environment = {
  COMPOSE_PROJECT_NAME: 'ledger-test',
  POSTGRES_PASSWORD_FILE: PASSWORD_FILE,
  COMPOSE_FILE: 'compose.yaml',
};
const RATE = 30;

/** An engine of this machine, or one in a root file system of its own. */
const isHere = ['info', 'compose version'].every((words) => {
  const command = Bun.which('docker');
  return command !== null && Bun.spawnSync([command, ...words.split(' ')]).exitCode === 0;
});
const inside = (command: string[]) => [
  ...(isHere ? [] : ['bash', ENGINE, 'in', WORK]),
  'env',
  ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
  ...command,
];
const inItsNetwork = (command: string[]) => (isHere ? command : ['bash', ENGINE, 'net', WORK, ...command]);

export const docker = (...args: string[]) => succeed(inside(['docker', ...args]));
export const compose = (...args: string[]) => docker('compose', ...args);
export const shell = (text: string) => succeed(inside(['sh', '-euc', text]));

/** An engine of this machine reaches the image of Citus. */
export const hasCitus = isHere || process.env.CITUS_SOURCE !== undefined;

/** @param files as in Compose's COMPOSE_FILE, until the next start */
export async function start(files = 'compose.yaml'): Promise<LoadOptions['keys']> {
  environment.COMPOSE_FILE = files;
  if (!isHere) await succeed(['bash', ENGINE, 'up', WORK, ROOT]);
  mkdirSync(WORK, { recursive: true });
  rmSync(PASSWORD_FILE, { force: true });
  writeFileSync(PASSWORD_FILE, `${PASSWORD}\n`, { mode: 0o444 });
  await compose('up', '--build', '--detach', '--wait');
  const worker = ['docker', 'compose', 'exec', '-T', 'ledger-worker', 'bun', 'admin/main.ts'];
  return newKeys((words, input) => succeed(inside([...worker, ...words.split(' ')]), input));
}

export async function stop(): Promise<void> {
  await compose('down', '--volumes');
  if (!isHere) await succeed(['bash', ENGINE, 'down', WORK]);
}

/** The load of so many seconds, during which the work is done. */
export async function loadDuring(
  keys: LoadOptions['keys'],
  seconds: number,
  work: () => Promise<unknown>,
): Promise<LoadReport> {
  const options: LoadOptions = { url: URL, seconds, rate: RATE, keys };
  const program = [process.execPath, join(import.meta.dir, 'load.ts')];
  const load = succeed(inItsNetwork(program), JSON.stringify(options));
  await Bun.sleep(2_000);
  await work();
  return JSON.parse(await load) as LoadReport;
}

/** One column of a query of the database. */
export async function query(sql: string): Promise<string[]> {
  const out = await compose(
    ...[
      'exec',
      '-T',
      'postgres',
      'psql',
      '--username=ledger',
      '--dbname=ledger',
      '--tuples-only',
      '--no-align',
    ],
    `--command=${sql}`,
  );
  return out.split('\n').filter(Boolean);
}

/** The ids of the containers of a service. */
export const containersOf = async (service: string) =>
  (await compose('ps', '--quiet', service)).split('\n').filter(Boolean);
