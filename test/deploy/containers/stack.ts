/** The service in containers, the load on it, and what its database has. */
import { expect } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../fixtures/checkout.ts';
import { newKeys, succeed } from './commands.ts';
import type { LoadOptions } from './load.ts';
import { loadOn } from './under-load.ts';

const ENGINE = join(import.meta.dir, 'engine.sh');
/** Is kept from one run to the next: the root file system takes minutes. */
const WORK = process.env.CONTAINERS_DIRECTORY ?? '/var/tmp/ledger-containers';
/** A project and a password of its own: what runs on this machine under the usual name keeps its containers and its data. */
const PASSWORD_FILE = join(WORK, 'postgres-password');
export const PASSWORD = crypto.randomUUID();
const environment = {
  COMPOSE_PROJECT_NAME: 'ledger-test',
  POSTGRES_PASSWORD_FILE: PASSWORD_FILE,
  COMPOSE_FILE: 'compose.yaml',
};

const works = (words: string) =>
  Bun.which('docker') !== null && Bun.spawnSync(['docker', ...words.split(' ')]).exitCode === 0;
/** An engine of this machine, or one in a root file system of its own. */
const isHere = works('info') && works('compose version');
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

/** Whether the engine has an image, or can pull it. An engine of its own reaches no registry of images. */
export const hasImage = (name: string) => isHere && (works(`image inspect ${name}`) || works(`pull ${name}`));

/** @param files as in Compose's COMPOSE_FILE, until the next start */
export async function start(files = 'compose.yaml') {
  environment.COMPOSE_FILE = files;
  if (!isHere) await succeed(['bash', ENGINE, 'up', WORK, ROOT]);
  mkdirSync(WORK, { recursive: true });
  rmSync(PASSWORD_FILE, { force: true });
  writeFileSync(PASSWORD_FILE, `${PASSWORD}\n`, { mode: 0o444 });
  await compose('up', '--build', '--detach', '--wait');
  const worker = ['docker', 'compose', 'exec', '-T', 'ledger-worker', 'bun', 'admin/main.ts'];
  const keys = await newKeys((words, input) => succeed(inside([...worker, ...words.split(' ')]), input));
  const program = [process.execPath, join(import.meta.dir, 'load.ts')];
  const load = (options: LoadOptions) => succeed(inItsNetwork(program), JSON.stringify(options));
  return { keys, ...loadOn({ url: 'http://127.0.0.1:3000', keys, load, query }) };
}

export async function stop(): Promise<void> {
  await compose('down', '--volumes');
  if (!isHere) await succeed(['bash', ENGINE, 'down', WORK]);
}

export async function query(sql: string): Promise<string[]> {
  const psql = 'exec -T postgres psql --username=ledger --dbname=ledger --tuples-only --no-align';
  return (await compose(...psql.split(' '), `--command=${sql}`)).split('\n').filter(Boolean);
}

export const containersOf = async (service: string) =>
  (await compose('ps', '--quiet', service)).split('\n').filter(Boolean);

/** As a process ends that crashes: an engine does not start again what was stopped by its own command. */
export async function crash(service: string): Promise<void> {
  const [id = ''] = await containersOf(service);
  await shell(`kill -9 $(docker inspect --format '{{.State.Pid}}' ${id})`);
}

/** By deploy/roll.sh, to an image that differs from the one that runs in a label only. */
export async function rollNewVersion(): Promise<void> {
  const containers = async () => [
    ...(await containersOf('gateway')),
    ...(await containersOf('ledger-worker')),
  ];
  const before = await containers();
  const image = (await docker('inspect', '--format', '{{.Config.Image}}', before[0] ?? '')).trim();
  const next = `FROM ${image}\\nLABEL version=${crypto.randomUUID()}\\n`;
  await shell(`printf '${next}' | docker build --quiet --tag ${image} - && deploy/roll.sh --no-build`);
  const after = await containers();
  expect(after).toHaveLength(before.length);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
}
