/**
 * deploy/kubernetes in a real cluster of one node: `bun run test:kubernetes`. The API server accepts and admits everything, and an operator who
 * follows docs/deploying.md and docs/backup.md fails no request and loses no entry.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { LoadOptions, LoadReport } from '../containers/load.ts';
import * as cluster from './cluster.ts';
import { blocks, connects, kubectl, loadDuring, operator, query, tryKubectl } from './cluster.ts';

setDefaultTimeout(60 * 60_000);

const OVERLAYS = ['base', 'migrations', 'backup', 'citus'];
const [secrets = '', migrate = '', firstStart = '', upgrade = ''] = blocks(
  'deploying.md',
  'Several machines: Kubernetes',
);
const [installBackup = '', dump = '', restore = '', serveRestored = ''] = blocks(
  'backup.md',
  'In Kubernetes',
);
const database = (user: string, name = 'ledger') => `postgres://${user}:secret@postgres/${name}`;

beforeAll(cluster.startControlPlane);
afterAll(cluster.stop);

describe('the API server', () => {
  beforeAll(async () => {
    await kubectl('apply', '--server-side', '--filename', 'deploy/kubernetes/base/namespace.yaml');
  });

  test.each(
    OVERLAYS.flatMap((overlay) => [
      [overlay, '--dry-run=server'],
      [overlay, '--dry-run=none'],
    ]),
  )('accepts every object of %s, with %s, and warns of none', async (overlay, dryRun) => {
    const { out, err, code } = await tryKubectl(
      ...['apply', '--server-side', dryRun, '--kustomize', `deploy/kubernetes/${overlay}`],
    );
    expect([code, err]).toEqual([0, '']);
    expect(out).not.toBeEmpty();
  });

  test('accepts the overlay that docs/deploying.md shows', async () => {
    cluster.writeExample();
    const applied = await operator(
      'kubectl apply --server-side --dry-run=server --kustomize overlays/example',
    );
    expect(applied).toContain('ingress.networking.k8s.io/ledger serverside-applied');
  });

  test('admits the pods of every workload to the namespace, which is restricted', async () => {
    for (const job of ['backup', 'restore']) await kubectl('create', 'job', `--from=cronjob/${job}`, job);
    const workloads = ['backup', 'citus-coordinator', 'citus-node', 'distribute', 'gateway', 'ledger-worker'];
    workloads.push('migrate', 'restore');
    const missing = async () => {
      const pods = await kubectl('get', 'pods', '--output=name');
      return workloads.filter((name) => !pods.includes(`pod/${name}-`));
    };
    for (let second = 0; second < 30 && (await missing()).length > 0; second++) await Bun.sleep(1_000);
    expect(await missing()).toEqual([]);
  });

  test('refuses a pod that runs as root', async () => {
    const { err } = await tryKubectl('run', 'root', '--image=any', '--dry-run=server');
    expect(err).toContain('violates PodSecurity "restricted');
  });
});

describe('the cluster', () => {
  let keys: LoadOptions['keys'] = [];
  const acknowledged = new Set<string>();

  beforeAll(async () => {
    await kubectl('delete', 'namespace', 'bookkeeping-ledger');
    await cluster.startNode();
    cluster.writeOverlays('1.0.0');
    await operator(secrets, 'redis://redis', database('worker_login'), database('ledger'));
    await kubectl('create', 'secret', 'generic', 'postgres', '--from-literal=password=secret');
    await operator(`kubectl apply --filename ${import.meta.dir}/stores.yaml`);
    await kubectl('rollout', 'status', 'statefulset/postgres', '--timeout=120s');
    await query(`create role ledger_worker nologin; create role worker_login login password 'secret' in role ledger_worker;
      create role backup_login login password 'secret' in role pg_read_all_data`);
    await operator(migrate);
    await operator(firstStart);
    await operator(installBackup, database('backup_login'));
    await available('gateway', 'ledger-worker');
    keys = await cluster.newKeys();
  });

  async function available(...deployments: string[]): Promise<void> {
    for (const each of deployments) {
      await kubectl(
        'wait',
        '--for=jsonpath={.status.availableReplicas}=3',
        `deployment/${each}`,
        '--timeout=180s',
      );
    }
  }

  async function roll(deployment: string): Promise<void> {
    await kubectl('rollout', 'restart', `deployment/${deployment}`);
    await kubectl('rollout', 'status', `deployment/${deployment}`);
  }

  async function deleteOne(name: string, ...how: string[]): Promise<void> {
    const pods = await kubectl(
      'get',
      'pods',
      `--selector=app.kubernetes.io/name=${name}`,
      '--output=name',
      '--field-selector=status.phase=Running',
    );
    await kubectl('delete', pods.split('\n')[0] ?? '', ...how);
    await available(name);
  }

  async function underLoad(seconds: number, work: () => Promise<unknown>): Promise<LoadReport> {
    const report = await loadDuring(keys, seconds, work);
    for (const reference of report.acknowledged) acknowledged.add(reference);
    const { requests, failures, slowestMs } = report;
    console.log(`  ${requests} requests, ${failures.length} failed, slowest ${slowestMs} ms`);
    expect(requests).toBeGreaterThan(seconds * 20);
    return report;
  }

  const images = async () =>
    new Set(
      (
        await kubectl(
          'get',
          'pods',
          '--selector=app.kubernetes.io/name in (gateway,ledger-worker)',
          '--output=jsonpath={.items[*].spec.containers[0].image}',
        )
      ).split(' '),
    );

  async function newVersion(): Promise<void> {
    cluster.writeOverlays('1.0.1');
    await operator(migrate);
    await operator(upgrade);
    await kubectl('rollout', 'status', 'deployment/gateway');
  }

  test.each([
    ['a rollout of the gateways', 45, () => roll('gateway')],
    ['a rollout of the workers', 45, () => roll('ledger-worker')],
    ['a new version by docs/deploying.md', 75, newVersion],
    ['a gateway that is deleted', 30, () => deleteOne('gateway')],
    ['a worker that is deleted', 30, () => deleteOne('ledger-worker')],
    ['a worker that is killed', 30, () => deleteOne('ledger-worker', '--force', '--grace-period=0')],
  ])('%s fails no request', async (_, seconds, work) => {
    expect((await underLoad(seconds, work)).failures).toEqual([]);
  });

  test('has the new version everywhere', async () => {
    expect(await images()).toEqual(new Set(['registry.example/bookkeeping-ledger-api:1.0.1']));
  });

  test('loses no acknowledged entry, and doubles none, also if the pod of Postgres is deleted', async () => {
    await underLoad(30, () => kubectl('delete', 'pod', 'postgres-0'));
    await kubectl('rollout', 'status', 'statefulset/postgres');
    expect(acknowledged.size).toBeGreaterThan(1_000);
    const stored = await query('select external_ref from ledger.entry where external_ref is not null');
    expect(new Set(stored).size).toBe(stored.length);
    expect([...acknowledged.difference(new Set(stored))]).toEqual([]);
  });

  test('restores a dump of the CronJob by the commands of docs/backup.md', async () => {
    const entries = (name?: string) => query('select entry_id from ledger.entry order by entry_id', name);
    await operator(dump);
    const before = await entries();
    expect(before.length).toBeGreaterThan(1_000);
    await query('create database restored');
    await operator(restore, database('ledger', 'restored'));
    expect(await entries('restored')).toEqual(before);
    const [stopService = '', ...startService] = serveRestored.trim().split('\n');
    await operator(stopService);
    await kubectl('delete', 'secret', 'ledger-worker');
    const address = database('worker_login', 'restored');
    await kubectl('create', 'secret', 'generic', 'ledger-worker', `--from-literal=DATABASE_URL=${address}`);
    await kubectl('exec', 'redis', '--', 'redis-cli', 'flushall');
    await operator(startService.join('\n'));
    await available('gateway', 'ledger-worker');
    const { failures, acknowledged: written } = await underLoad(10, async () => {});
    expect(failures).toEqual([]);
    expect((await entries('restored')).length).toBe(before.length + written.length);
    expect((await entries()).length).toBe(before.length);
  });

  describe('its network allows by the policies', () => {
    const podOf = async (name: string) =>
      `bookkeeping-ledger/${(await kubectl('get', 'pods', `--selector=app.kubernetes.io/name=${name}`, '--output=jsonpath={.items[0].metadata.name}')).trim()}`;
    const addressOf = async (pod: string) =>
      await kubectl('get', 'pod', pod.split('/')[1] ?? '', '--output=jsonpath={.status.podIP}');

    test.each([
      ['ingress/client', 'gateway', 3000, true],
      ['default/stranger', 'gateway', 3000, false],
      ['ingress/client', 'gateway', 9464, false],
      ['ingress/client', 'ledger-worker', 50051, false],
      ['ingress/client', 'postgres', 5432, false],
      ['gateway', 'ledger-worker', 50051, true],
      ['gateway', 'redis', 6379, true],
      ['gateway', 'postgres', 5432, false],
      ['ledger-worker', 'postgres', 5432, true],
      ['ledger-worker', 'redis', 6379, false],
    ])('from %s to %s at %d: %p', async (from, to, port, isAllowed) => {
      const source = from.includes('/') ? from : await podOf(from);
      expect(await connects(source, await addressOf(await podOf(to)), port)).toBe(isAllowed);
    });
  });
});
