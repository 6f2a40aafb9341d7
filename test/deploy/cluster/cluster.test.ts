/**
 * deploy/kubernetes in a real cluster of one node: `bun run test:kubernetes`. The API server accepts and admits everything; an operator who
 * follows docs/deploying.md and docs/backup.md fails no request and loses no entry; the network allows what the policies list.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { until } from '../../fixtures/until.ts';
import * as cluster from './cluster.ts';
import { blocks, connects, kubectl, operator, query, tryKubectl } from './cluster.ts';

// The first start builds Kubernetes.
setDefaultTimeout(60 * 60_000);

const OVERLAYS = ['base', 'migrations', 'backup', 'citus'];
const WORKLOADS = ['citus-coordinator', 'citus-node', 'distribute', 'gateway', 'ledger-worker', 'migrate'];
const KUBERNETES = 'Several machines: Kubernetes';
const [secrets = '', migrate = '', firstStart = '', upgrade = ''] = blocks('deploying.md', KUBERNETES);
const [installBackup = '', dump = '', restore = '', serve = ''] = blocks('backup.md', 'In Kubernetes');
const database = (user: string, name = 'ledger') => `postgres://${user}:secret@postgres/${name}`;

beforeAll(cluster.startControlPlane);
afterAll(cluster.stop);

describe('the API server', () => {
  beforeAll(() => kubectl('apply --server-side --filename deploy/kubernetes/base/namespace.yaml'));

  test.each(OVERLAYS)('accepts every object of %s, and warns of none', async (overlay) => {
    for (const dryRun of ['server', 'none']) {
      const apply = `apply --server-side --dry-run=${dryRun} --kustomize deploy/kubernetes/${overlay}`;
      const { out, err, exitCode } = await tryKubectl(apply);
      expect([exitCode, err]).toEqual([0, '']);
      expect(out).not.toBeEmpty();
    }
  });

  test('accepts the overlay that docs/deploying.md shows', async () => {
    cluster.writeExample();
    const applied = await operator(
      'kubectl apply --server-side --dry-run=server --kustomize overlays/example',
    );
    expect(applied).toContain('ingress.networking.k8s.io/ledger serverside-applied');
  });

  test('admits the pods of every workload to the namespace, which is restricted', async () => {
    for (const job of ['backup', 'restore']) await kubectl(`create job --from=cronjob/${job} ${job}`);
    const missing = async () => {
      const pods = await kubectl('get pods --output=name');
      return [...WORKLOADS, 'backup', 'restore'].filter((name) => !pods.includes(`pod/${name}-`));
    };
    await until('every workload has a pod', async () => (await missing()).length === 0, 60_000);
  });
});

describe('the cluster', () => {
  let load: Awaited<ReturnType<typeof cluster.startLoad>>;

  beforeAll(async () => {
    await kubectl('delete namespace bookkeeping-ledger --ignore-not-found');
    await cluster.startNode();
    cluster.writeOverlays('1.0.0');
    await operator(secrets, 'redis://redis', database('worker_login'), database('ledger'));
    await kubectl('create secret generic postgres --from-literal=password=secret');
    await operator(`kubectl apply --filename ${import.meta.dir}/stores.yaml`);
    await kubectl('rollout status statefulset/postgres --timeout=120s');
    await query(`create role ledger_worker nologin;
      create role worker_login login password 'secret' in role ledger_worker;
      create role backup_login login password 'secret' in role pg_read_all_data;`);
    await operator(migrate);
    await operator(firstStart);
    await operator(installBackup, database('backup_login'));
    await available('gateway', 'ledger-worker');
    load = await cluster.startLoad();
  });

  async function available(...deployments: string[]): Promise<void> {
    for (const each of deployments) {
      await kubectl(`wait --for=jsonpath={.status.availableReplicas}=3 --timeout=180s deployment/${each}`);
    }
  }

  async function roll(deployment: string): Promise<void> {
    await kubectl(`rollout restart deployment/${deployment}`);
    await kubectl(`rollout status deployment/${deployment}`);
  }

  const podsOf = async (name: string): Promise<string[]> => {
    const running = `--selector=app.kubernetes.io/name=${name} --field-selector=status.phase=Running`;
    return (await kubectl(`get pods ${running} --output=name`)).trim().split('\n');
  };

  async function deleteOne(name: string, how = ''): Promise<void> {
    await kubectl(`delete ${(await podsOf(name))[0]} ${how}`);
    await available(name);
  }

  async function newVersion(): Promise<void> {
    cluster.writeOverlays('1.0.1');
    await operator(migrate);
    await operator(upgrade);
    await kubectl('rollout status deployment/gateway');
  }

  test.each([
    ['a rollout of the gateways', 45, () => roll('gateway')],
    ['a rollout of the workers', 45, () => roll('ledger-worker')],
    ['a new version by docs/deploying.md', 75, newVersion],
    ['a gateway that is deleted', 30, () => deleteOne('gateway')],
    ['a worker that is deleted', 30, () => deleteOne('ledger-worker')],
    ['a worker that is killed', 30, () => deleteOne('ledger-worker', '--force --grace-period=0')],
  ])('%s fails no request', async (_, seconds, work) => {
    expect((await load.during(seconds, work)).failures).toEqual([]);
  });

  test('loses no acknowledged entry, and doubles none, also if the pod of Postgres is deleted', async () => {
    await load.during(30, () => kubectl('delete pod postgres-0'));
    await kubectl('rollout status statefulset/postgres');
    await load.expectEachEntryOnce();
  });

  test('restores a dump of the CronJob by the commands of docs/backup.md', async () => {
    const entries = (name?: string) => query('select entry_id from ledger.entry order by entry_id', name);
    await operator(dump);
    const before = await entries();
    expect(before.length).toBeGreaterThan(1_000);
    await query('create database restored');
    await operator(restore, database('ledger', 'restored'));
    expect(await entries('restored')).toEqual(before);

    const [stopService = '', ...startService] = serve.trim().split('\n');
    await operator(stopService);
    await kubectl('delete secret ledger-worker');
    const address = database('worker_login', 'restored');
    await kubectl(`create secret generic ledger-worker --from-literal=DATABASE_URL=${address}`);
    await kubectl('exec redis -- redis-cli flushall');
    await operator(startService.join('\n'));
    await available('gateway', 'ledger-worker');
    const { failures, acknowledged: written } = await load.during(10, async () => {});
    expect(failures).toEqual([]);
    expect((await entries('restored')).length).toBe(before.length + written.length);
    expect((await entries()).length).toBe(before.length);
  });

  test.each([
    ['client in ingress', 'gateway', 3000, true],
    ['client in ingress', 'gateway', 9464, false],
    ['client in ingress', 'ledger-worker', 50051, false],
    ['client in ingress', 'postgres', 5432, false],
    ['stranger in default', 'gateway', 3000, false],
    ['gateway', 'ledger-worker', 50051, true],
    ['gateway', 'redis', 6379, true],
    ['gateway', 'postgres', 5432, false],
    ['ledger-worker', 'postgres', 5432, true],
    ['ledger-worker', 'redis', 6379, false],
  ])('connects %s to %s at %d: %p', async (from, to, port, isAllowed) => {
    const [name = '', namespace] = from.split(' in ');
    const source = namespace ? name : ((await podsOf(name))[0] ?? '');
    const host = await kubectl(`get ${(await podsOf(to))[0]} --output=jsonpath={.status.podIP}`);
    expect(await connects(namespace ?? 'bookkeeping-ledger', source, host, port)).toBe(isAllowed);
  });
});
