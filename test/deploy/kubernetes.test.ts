/** deploy/kubernetes: valid, consistent with the processes, and hardened. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { basename, dirname } from 'node:path';
import { isThere, read } from '../fixtures/checkout.ts';
import { type Json, kustomizations, manifests, ofKind, texts, typeFaults } from './manifests.ts';
import { drainMs, type ProcessName, portOf, SECRET_VALUE, VARIABLES } from './processes.ts';
import { citusFlags } from './runbook.ts';

// The compiler reads many files.
setDefaultTimeout(60_000);

const { version } = JSON.parse(read('package.json'));

const ofKinds = (...kinds: string[]): [string, Json][] =>
  kinds.flatMap((kind) => Object.entries(ofKind(kind)));
const deployments = ofKinds('Deployment') as [ProcessName, Json][];
const servers = ofKinds('StatefulSet');
const podOf = ({ spec }: Json): Json => (spec.jobTemplate?.spec ?? spec).template.spec;
const containerOf = (manifest: Json): Json => podOf(manifest).containers[0];
/** The variables with a value in the manifest, without those from a Secret. */
const environmentOf = (manifest: Json): Record<string, string> =>
  Object.fromEntries(
    (containerOf(manifest).env as Json[]).flatMap(({ name, value }) => (value ? [[name, value]] : [])),
  );

test('each manifest fits the type of its kind: the only fault is that of a misspelt member', async () => {
  const worker = structuredClone(ofKind('Deployment')['ledger-worker']);
  podOf(worker).terminationGracePeriodSecond = 20;
  expect(await typeFaults([...manifests, worker])).toEqual([
    expect.stringContaining('terminationGracePeriodSecond'),
  ]);
});

test('each kustomization lists exactly the files beside it', () => {
  for (const { file, content } of kustomizations) {
    const beside = Object.keys(texts).filter((other) => dirname(other) === dirname(file) && other !== file);
    expect(content.resources.toSorted()).toEqual(beside.map((other) => basename(other)));
  }
});

describe('consistent with the processes:', () => {
  test.each(ofKinds('Deployment', 'Job'))(
    '%s runs the image of this version, with an entry point that exists',
    (_, manifest) => {
      const { image, command } = containerOf(manifest);
      expect([image, command[0]]).toEqual(['bookkeeping-ledger-api', 'bun']);
      expect(isThere(command[1])).toBe(true);
      for (const { content } of kustomizations.filter(({ file }) => !file.startsWith('backup/'))) {
        expect(content.images).toEqual([{ name: image, newTag: version }]);
      }
    },
  );

  test.each(deployments)('%s reads every variable that is set, and may drain', (name, manifest) => {
    const given = containerOf(manifest).env.map((variable: Json) => variable.name);
    expect(VARIABLES[name]).toEqual(expect.arrayContaining(given));
    const graceMs = podOf(manifest).terminationGracePeriodSeconds * 1_000;
    expect(graceMs).toBeGreaterThan(drainMs(name, environmentOf(manifest)));
  });

  test('only the Job migrates the schema, as its owner', () => {
    expect(environmentOf(ofKind('Deployment')['ledger-worker']).MIGRATE).toBe('never');
    const { command, env } = containerOf(ofKind('Job').migrate);
    expect(command).toEqual(['bun', 'ledger-worker/migrate-main.ts']);
    const secretKeyRef = { name: 'migrate', key: 'DATABASE_URL' };
    expect(env).toEqual([{ name: 'DATABASE_URL', valueFrom: { secretKeyRef } }]);
  });

  test.each(deployments)(
    '%s is probed on the port where it listens, and its service targets that port',
    (name, manifest) => {
      const container = containerOf(manifest);
      const ports = Object.fromEntries(container.ports.map((port: Json) => [port.name, port.containerPort]));
      const expected = portOf(name, environmentOf(manifest));
      for (const kind of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { httpGet, grpc, tcpSocket } = container[kind];
        const { port } = httpGet ?? grpc ?? tcpSocket;
        expect([kind, ports[port] ?? port]).toEqual([kind, expected]);
        if (httpGet) expect(httpGet.path).toBe(kind === 'readinessProbe' ? '/readyz' : '/healthz');
      }
      const { matchLabels } = manifest.spec.selector;
      expect(manifest.spec.template.metadata.labels).toEqual(matchLabels);
      const { selector, ports: offered } = ofKind('Service')[name].spec;
      expect([selector, ports[offered[0].targetPort]]).toEqual([matchLabels, expected]);
    },
  );

  test('gateways use a headless service, whose name resolves to every worker', () => {
    const { clusterIP, ports } = ofKind('Service')['ledger-worker'].spec;
    expect(clusterIP).toBe('None');
    const { LEDGER_WORKER_ADDRESS } = environmentOf(ofKind('Deployment').gateway);
    expect(LEDGER_WORKER_ADDRESS).toBe(`dns:///ledger-worker:${ports[0].port}`);
  });

  test.each(deployments)(
    '%s always has two replicas available, and never more than the database has connections for',
    (name, manifest) => {
      const { strategy, selector } = manifest.spec;
      const { minReplicas, maxReplicas, scaleTargetRef } = ofKind('HorizontalPodAutoscaler')[name].spec;
      const { maxUnavailable, selector: guarded } = ofKind('PodDisruptionBudget')[name].spec;
      expect([scaleTargetRef.name, guarded, minReplicas - maxUnavailable]).toEqual([name, selector, 2]);
      expect(strategy.rollingUpdate.maxUnavailable).toBe(0);
      // Postgres reserves 3 of its 100 connections for superusers. Each worker has one more for its health check.
      const pool = Number(environmentOf(manifest).DATABASE_POOL_MAX ?? 0);
      expect((maxReplicas + strategy.rollingUpdate.maxSurge) * (pool + 1)).toBeLessThanOrEqual(97);
    },
  );
});

describe('distributed database:', () => {
  test.each(servers)(
    '%s has the settings of the page, a name for each server, and the labels of the policies',
    (name, manifest) => {
      const { command, image } = containerOf(manifest);
      expect(citusFlags().filter((flag) => !command.join().includes(flag))).toEqual([]);
      expect(image).toBe('citusdata/citus:13.2.0');
      const { serviceName, selector, template } = manifest.spec;
      const { spec } = ofKind('Service')[serviceName];
      expect([serviceName, spec.clusterIP]).toEqual([name, 'None']);
      expect([spec.selector, template.metadata.labels]).toEqual([selector.matchLabels, selector.matchLabels]);
    },
  );

  test('the Job adds every node, migrates, and distributes', () => {
    const { initContainers, containers } = podOf(ofKind('Job').distribute);
    const [adds, ...entries] = [...initContainers, ...containers].map(({ command }) => command.join(' '));
    expect(entries).toEqual(['migrate', 'distribute'].map((name) => `bun ledger-worker/${name}-main.ts`));
    const { replicas, serviceName } = ofKind('StatefulSet')['citus-node'].spec;
    const nodes = [...adds.matchAll(/citus_add_node\('([\w.-]+)', 5432\)/g)].map(([, node]) => node);
    expect(nodes).toEqual(Array.from({ length: replicas }, (_, n) => `${serviceName}-${n}.${serviceName}`));
    for (const node of nodes) expect(adds).toContain(`@${node}/ledger`);
  });
});

describe('hardened:', () => {
  test.each(ofKinds('Deployment', 'Job', 'CronJob', 'StatefulSet'))(
    '%s has no service account token, no root user, no capabilities and a read-only root',
    (_, manifest) => {
      const {
        automountServiceAccountToken,
        securityContext,
        initContainers = [],
        containers,
      } = podOf(manifest);
      expect(automountServiceAccountToken).toBe(false);
      const seccompProfile = { type: 'RuntimeDefault' };
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile });
      for (const { securityContext, resources } of [...initContainers, ...containers]) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(Object.keys(resources.requests).sort()).toEqual(['cpu', 'memory']);
        expect(resources.limits.memory).toBeString();
      }
    },
  );

  test('no secret has its value in a file', () => {
    expect(ofKind('Secret')).toEqual({});
    expect(Object.entries(texts).filter(([, text]) => SECRET_VALUE.test(text))).toEqual([]);
    const variables: Json[] = ofKinds('Deployment', 'Job', 'CronJob').flatMap(
      ([, manifest]) => containerOf(manifest).env,
    );
    const secret = variables.filter(({ name }) => /DATABASE_URL|REDIS_URL|PASSWORD|SECRET|TOKEN/.test(name));
    expect(secret.length).toBeGreaterThan(1);
    for (const { value, valueFrom } of secret) {
      expect([value, valueFrom.secretKeyRef.key]).toEqual([undefined, expect.any(String)]);
    }
  });

  test('exactly these connections are allowed, and none to the Admin service', () => {
    const policies = ofKind('NetworkPolicy');
    const policyTypes = ['Ingress', 'Egress'];
    expect(policies['default-deny'].spec).toEqual({ podSelector: {}, policyTypes });
    const allowed = (direction: 'ingress' | 'egress', peers: 'from' | 'to') =>
      Object.values(policies).flatMap(({ spec }) =>
        (spec[direction] ?? []).map((rule: Json) => {
          const ports = new Set(rule.ports.map(({ port }: Json) => port));
          return `${nameIn(spec)} ${peers} ${rule[peers].map(peerName)}: ${[...ports]}`;
        }),
      );
    expect([...allowed('ingress', 'from'), ...allowed('egress', 'to')].sort()).toEqual([
      'all pods to kube-system kube-dns: 53',
      'backup to postgres: 5432',
      'gateway from ingress: 3000',
      'gateway to ledger-worker: 50051',
      'gateway to redis: 6379',
      'gateway,ledger-worker from monitoring prometheus: 9464',
      'ledger-worker from gateway: 50051',
      'ledger-worker to postgres: 5432',
      'migrate to postgres: 5432',
      'postgres from backup: 5432',
      'postgres from ledger-worker,migrate: 5432',
      'postgres from postgres: 5432',
      'postgres to postgres: 5432',
      'redis from gateway: 6379',
    ]);
  });
});

const NAME = 'app.kubernetes.io/name';
/** `a`, or `a,b` for a rule about several pods. */
const nameIn = ({ podSelector }: Json): string =>
  podSelector.matchLabels?.[NAME] ?? podSelector.matchExpressions?.[0].values.join() ?? 'all pods';

function peerName({ namespaceSelector, podSelector }: Json): string {
  const namespace = namespaceSelector?.matchLabels['kubernetes.io/metadata.name'];
  const pod = podSelector && (podSelector.matchLabels[NAME] ?? podSelector.matchLabels['k8s-app']);
  return [namespace, pod].filter(Boolean).join(' ');
}
