/** A Kubernetes cluster of one node, its operator's commands, the load on its service, and what its database has. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { LoadOptions, LoadReport } from '../containers/load.ts';

const ROOT = join(import.meta.dir, '../../..');
const ENGINE = join(import.meta.dir, '../containers/engine.sh');
/** Is kept from one run to the next: the binaries and the root file system take most of an hour. */
const WORK = process.env.KUBERNETES_DIRECTORY ?? '/var/tmp/ledger-kubernetes';
/** Where the operator's overlays are. */
const OPERATOR = join(WORK, 'operator');
const IMAGE = 'registry.example/bookkeeping-ledger-api';
/** Each key has 120 requests in a minute, and each account 5,000 entries in a day. */
const [ACCOUNTS, KEYS_OF_ACCOUNT] = [3, 6];
const RATE = 30;

export interface Output {
  out: string;
  err: string;
  code: number;
}

async function run(command: string[], input = ''): Promise<Output> {
  const child = Bun.spawn(command, {
    cwd: ROOT,
    // Beside an engine of `bun run test:containers`.
    env: { ...process.env, ENGINE_NUMBER: '1' },
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { out, err, code: await child.exited };
}

/** @throws Error with the output of a command that fails */
async function succeed(command: string[], input?: string): Promise<string> {
  const { out, err, code } = await run(command, input);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${out}${err}`);
  return out;
}

const inside = (...command: string[]) => [
  ...['bash', ENGINE, 'in', WORK, 'env', 'KUBECONFIG=/run/cluster/admin.conf'],
  ...[`PATH=${WORK}/bin:/usr/sbin:/usr/bin:/sbin:/bin`, ...command],
];
const inCluster = (action: string) =>
  succeed(inside('bash', join(import.meta.dir, 'cluster.sh'), action, WORK));
const ofService = (args: string[]) => inside('kubectl', '--namespace', 'bookkeeping-ledger', ...args);

export const kubectl = (...args: string[]) => succeed(ofService(args));
export const tryKubectl = (...args: string[]) => run(ofService(args));
/** Runs commands of the documentation, with these values in the place of each `…`. */
export const operator = (commands: string, ...values: string[]) =>
  succeed(
    inside('sh', '-euc', `cd ${OPERATOR}\n${commands.replaceAll('…', () => `'${values.shift() ?? ''}'`)}`),
  );

const pageOf = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** The commands under a heading of a page, by block. */
export function blocks(page: string, heading: string): string[] {
  const section =
    pageOf(page)
      .split(/^## /m)
      .find((each) => each.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands);
}

/** The control plane only. */
export async function startControlPlane(): Promise<void> {
  await succeed(['bash', join(import.meta.dir, 'build.sh'), join(WORK, 'bin')]);
  await succeed(['bash', ENGINE, 'up', WORK, ROOT]);
  await inCluster('control-plane');
}

/** The node, with the image of this checkout. */
export async function startNode(): Promise<void> {
  await succeed(inside('docker', 'build', '--tag', 'bookkeeping-ledger-api:1.0.0', '.'));
  await inCluster('node');
}

export async function stop(): Promise<void> {
  await succeed(['bash', ENGINE, 'down', WORK]);
}

/** An overlay of the operator, with the paths of this checkout. */
function writeOverlay(name: string, files: Record<string, string>): void {
  const overlay = join(OPERATOR, 'overlays', name);
  mkdirSync(overlay, { recursive: true });
  const manifests = relative(overlay, join(ROOT, 'deploy/kubernetes'));
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(overlay, file), text.replaceAll('../../deploy/kubernetes', manifests));
  }
}

/** The overlays that run this version. */
export function writeOverlays(version: string): void {
  for (const [name, folder] of Object.entries({
    production: 'base',
    migrations: 'migrations',
    backup: 'backup',
  })) {
    const resources = [`../../deploy/kubernetes/${folder}`];
    const images = [{ name: 'bookkeeping-ledger-api', newName: IMAGE, newTag: version }];
    writeOverlay(name, { 'kustomization.yaml': JSON.stringify({ resources, images }) });
  }
}

/** The overlay that docs/deploying.md shows, with an ingress as small as can be. */
export function writeExample(): void {
  const [, example = ''] = /^```yaml\n(resources:.*?)^```/ms.exec(pageOf('deploying.md')) ?? [];
  const ingress = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'ledger' },
    spec: { defaultBackend: { service: { name: 'gateway', port: { name: 'http' } } } },
  };
  writeOverlay('example', { 'kustomization.yaml': example, 'ingress.yaml': JSON.stringify(ingress) });
}

export async function newKeys(): Promise<LoadOptions['keys']> {
  const admin = async (...args: string[]) =>
    JSON.parse(
      await kubectl('exec', 'deploy/ledger-worker', '--', 'bun', 'admin/main.ts', ...args, '--json'),
    );
  const keys: LoadOptions['keys'] = [];
  for (let account = 0; account < ACCOUNTS; account++) {
    const { accountId } = await admin('account', 'create', '--plan', 'pro');
    const { id } = await admin(
      ...['source', 'create', '--account', accountId, '--type', 'uk-property'],
      ...['--name', `House ${account}`, '--share', '100'],
    );
    for (let number = 0; number < KEYS_OF_ACCOUNT; number++) {
      const { key } = await admin('key', 'create', '--account', accountId);
      keys.push({ key, source: id });
    }
  }
  return keys;
}

/** The load of so many seconds through the service, from the namespace of the ingress, during which the work is done. */
export async function loadDuring(
  keys: LoadOptions['keys'],
  seconds: number,
  work: () => Promise<unknown>,
): Promise<LoadReport> {
  const options: LoadOptions = { url: 'http://gateway.bookkeeping-ledger', seconds, rate: RATE, keys };
  const program = readFileSync(join(ROOT, 'test/deploy/containers/load.ts'), 'utf8');
  const client = ['kubectl', '--namespace', 'ingress', 'exec', '--stdin', 'client', '--'];
  await succeed(inside(...client, 'sh', '-c', 'cat >/tmp/load.ts'), program);
  const load = succeed(inside(...client, 'bun', '/tmp/load.ts'), JSON.stringify(options));
  const begun = performance.now();
  await Bun.sleep(2_000);
  await work();
  const workSeconds = (performance.now() - begun) / 1_000;
  if (workSeconds > seconds) throw new Error(`the work took ${workSeconds} s, the load ${seconds} s`);
  return JSON.parse(await load) as LoadReport;
}

/** Whether a connection is accepted, from a container of a pod. */
export async function connects(from: string, host: string, port: number): Promise<boolean> {
  const [namespace = '', pod = ''] = from.split('/');
  const program = `require('node:net').connect(${port}, '${host}').on('connect', () => process.exit(0)).on('error', () => process.exit(3)); setTimeout(() => process.exit(3), 2000)`;
  const { code, err } = await run(
    inside('kubectl', '--namespace', namespace, 'exec', pod, '--', 'bun', '--eval', program),
  );
  if (code !== 0 && !err.includes('exit code 3')) throw new Error(err);
  return code === 0;
}

/** One column of a query, as the owner of the database. */
export async function query(sql: string, database = 'ledger'): Promise<string[]> {
  const psql = ['psql', '--username=ledger', `--dbname=${database}`, '--tuples-only', '--no-align'];
  const out = await kubectl('exec', 'postgres-0', '--', ...psql, `--command=${sql}`);
  return out.split('\n').filter(Boolean);
}
