/** A Kubernetes cluster of one node, its operator's commands, the load on its service, and what its database has. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT, read } from '../../fixtures/checkout.ts';
import { newKeys, run, succeed } from '../containers/commands.ts';
import type { LoadOptions } from '../containers/load.ts';
import { loadOn } from '../containers/under-load.ts';

const ENGINE = join(import.meta.dir, '../containers/engine.sh');
/** Is kept from one run to the next: to build what is in it takes about 25 minutes. */
const WORK = process.env.KUBERNETES_DIRECTORY ?? '/var/tmp/ledger-kubernetes';
const OPERATOR = join(WORK, 'operator');
// Beside an engine of `bun run test:containers`.
process.env.ENGINE_NUMBER = '1';

const inside = (commands: string) => [
  ...['bash', ENGINE, 'in', WORK, 'env', 'KUBECONFIG=/run/cluster/admin.conf'],
  ...[`PATH=${WORK}/bin:/usr/sbin:/usr/bin:/sbin:/bin`, 'sh', '-euc', commands],
];
const shell = (commands: string, input?: string) => succeed(inside(commands), input);
const ofService = (words: string) => `kubectl --namespace bookkeeping-ledger ${words}`;

export const kubectl = (words: string, input?: string) => shell(ofService(words), input);
export const tryKubectl = (words: string) => run(inside(ofService(words)));
/** Runs commands of the documentation, with these values in the place of each `…`. */
export const operator = (commands: string, ...values: string[]) =>
  shell(`cd ${OPERATOR}\n${commands.replaceAll('…', () => `'${values.shift() ?? ''}'`)}`);

/** The control plane only. */
export async function startControlPlane(): Promise<void> {
  await succeed(['bash', join(import.meta.dir, 'build.sh'), join(WORK, 'bin')]);
  await succeed(['bash', ENGINE, 'up', WORK, ROOT]);
  await shell(`bash ${import.meta.dir}/cluster.sh control-plane ${WORK}`);
}

/** The node, with the image of this checkout. */
export async function startNode(): Promise<void> {
  await shell('docker build --tag bookkeeping-ledger-api:1.0.0 .');
  await shell(`bash ${import.meta.dir}/cluster.sh node ${WORK}`);
}

export async function stop(): Promise<void> {
  await succeed(['bash', ENGINE, 'down', WORK]);
}

const pageOf = (name: string) => read(`docs/${name}`);

/** The commands under a heading of a page, by block. */
export function blocks(page: string, heading: string): string[] {
  const section = pageOf(page)
    .split(/^## /m)
    .find((each) => each.startsWith(`${heading}\n`));
  return [...(section ?? '').matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands);
}

function writeOverlay(name: string, files: Record<string, string>): void {
  const overlay = join(OPERATOR, 'overlays', name);
  mkdirSync(overlay, { recursive: true });
  const manifests = relative(overlay, join(ROOT, 'deploy/kubernetes'));
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(overlay, file), text.replaceAll('../../deploy/kubernetes', manifests));
  }
}

export function writeOverlays(version: string): void {
  const newName = 'registry.example/bookkeeping-ledger-api';
  const folders = { production: 'base', migrations: 'migrations', backup: 'backup' };
  for (const [name, folder] of Object.entries(folders)) {
    const resources = [`../../deploy/kubernetes/${folder}`];
    const images = [{ name: 'bookkeeping-ledger-api', newName, newTag: version }];
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

/** The load on the service, from the namespace of the ingress. */
export async function startLoad() {
  const keys = await newKeys((words, input) =>
    kubectl(`exec --stdin deploy/ledger-worker -- bun admin/main.ts ${words}`, input),
  );
  const program = readFileSync(join(import.meta.dir, '../containers/load.ts'), 'utf8');
  const client = 'kubectl --namespace ingress exec --stdin client --';
  await shell(`${client} sh -c 'cat >/tmp/load.ts'`, program);
  const load = (options: LoadOptions) => shell(`${client} bun /tmp/load.ts`, JSON.stringify(options));
  return loadOn({ url: 'http://gateway.bookkeeping-ledger', keys, load, query });
}

/** Whether a connection to an address is accepted, from a pod. */
export async function connects(namespace: string, pod: string, host: string, port: number): Promise<boolean> {
  const program = `setTimeout(process.exit, 2000, 3); require('node:net').connect(${port}, '${host}')
    .on('connect', () => process.exit(0)).on('error', () => process.exit(3))`;
  const exec = `kubectl --namespace ${namespace} exec ${pod} -- bun --eval "${program}"`;
  const { exitCode, err } = await run(inside(exec));
  if (exitCode !== 0 && !err.includes('exit code 3')) throw new Error(err);
  return exitCode === 0;
}

export async function query(sql: string, database = 'ledger'): Promise<string[]> {
  const psql = `psql --username=ledger --dbname=${database} --tuples-only --no-align --set=ON_ERROR_STOP=1`;
  const out = await kubectl(`exec --stdin postgres-0 -- ${psql}`, sql);
  return out.split('\n').filter(Boolean);
}
