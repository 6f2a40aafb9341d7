/** deploy/kubernetes: valid, consistent with the processes, and hardened. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { basename, dirname } from 'node:path';
import { isThere, read } from '../fixtures/checkout.ts';
import { type Json, kustomizations, manifests, texts, typeFaults } from './manifests.ts';
import { drainMs, type ProcessName, portOf, SECRET_VALUE, VARIABLES } from './processes.ts';
import { citusFlags } from './runbook.ts';

// The compiler reads many files.
setDefaultTimeout(60_000);

const { version } = JSON.parse(read('package.json'));

const ofKind = (kind: string): Record<string, Json> =>
  Object.fromEntries(
    manifests
      .filter(({ content }) => content.kind === kind)
      .map(({ content }) => [content.metadata.name, content]),
  );

const deployments = Object.entries(ofKind('Deployment')) as [ProcessName, Json][];
/** The pod templates of Deployments and Jobs. */
const workloads: [string, Json][] = [...deployments, ...Object.entries(ofKind('Job'))].map(
  ([name, { spec }]) => [name, spec.template],
);

/** They run the programs of Postgres, at the times of the manifest. */
const toolJobs: [string, Json][] = Object.entries(ofKind('CronJob')).map(([name, { spec }]) => [
  name,
  spec.jobTemplate.spec.template,
]);

const servers: [string, Json][] = Object.entries(ofKind('StatefulSet'));

const containerOf = (template: Json): Json => template.spec.containers[0];
/** The variables with a value in the manifest, without those from a Secret. */
const environmentOf = (template: Json): Record<string, string> =>
  Object.fromEntries(
    (containerOf(template).env as Json[])
      .filter(({ value }) => value !== undefined)
      .map(({ name, value }) => [name, value]),
  );

describe('every manifest is valid:', () => {
  test('each fits the type of its kind: the only fault is that of a misspelt member', async () => {
    const worker = structuredClone(ofKind('Deployment')['ledger-worker']);
    worker.spec.template.spec.terminationGracePeriodSecond = 20;
    const faults = await typeFaults([...manifests.map(({ content }) => content), worker]);
    expect(faults).toEqual([expect.stringContaining('terminationGracePeriodSecond')]);
  });

  test('each kustomization lists exactly the files beside it', () => {
    for (const { file, content } of kustomizations) {
      const besides = Object.keys(texts).filter(
        (other) => dirname(other) === dirname(file) && other !== file,
      );
      expect(content.resources.toSorted()).toEqual(besides.map((other) => basename(other)));
    }
  });
});

describe('consistent with the processes:', () => {
  test.each(workloads)(
    '%s runs the image of this version, with an entry point that exists',
    (_, template) => {
      const { image, command } = containerOf(template);
      expect(image).toBe('bookkeeping-ledger-api');
      expect(command[0]).toBe('bun');
      expect(isThere(command[1])).toBe(true);
      for (const { content } of kustomizations.filter(({ file }) => !file.startsWith('backup/'))) {
        expect(content.images).toEqual([{ name: image, newTag: version }]);
      }
    },
  );

  test.each(deployments)('%s reads every variable that is set, and may drain', (name, { spec }) => {
    const given: string[] = containerOf(spec.template).env.map((variable: Json) => variable.name);
    expect(given.filter((variable) => !VARIABLES[name].includes(variable))).toEqual([]);
    const graceMs = spec.template.spec.terminationGracePeriodSeconds * 1_000;
    expect(graceMs).toBeGreaterThan(drainMs(name, environmentOf(spec.template)));
  });

  test('only the Job migrates the schema, as its owner', () => {
    expect(environmentOf(ofKind('Deployment')['ledger-worker'].spec.template).MIGRATE).toBe('never');
    const { command, env } = containerOf(ofKind('Job').migrate.spec.template);
    expect(command).toEqual(['bun', 'ledger-worker/migrate-main.ts']);
    expect(env.map(({ valueFrom }: Json) => valueFrom.secretKeyRef)).toEqual([
      { name: 'migrate', key: 'DATABASE_URL' },
    ]);
  });

  test.each(deployments)(
    '%s is probed on the port where it listens, and its service targets that port',
    (name, { spec }) => {
      const container = containerOf(spec.template);
      const ports = Object.fromEntries(container.ports.map((port: Json) => [port.name, port.containerPort]));
      const expected = portOf(name, environmentOf(spec.template));
      for (const kind of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { httpGet, grpc, tcpSocket } = container[kind];
        const { port } = httpGet ?? grpc ?? tcpSocket;
        expect([kind, ports[port] ?? port]).toEqual([kind, expected]);
        if (httpGet) expect(httpGet.path).toBe(kind === 'readinessProbe' ? '/readyz' : '/healthz');
      }
      const service = ofKind('Service')[name];
      expect(service.spec.selector).toEqual(spec.selector.matchLabels);
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
      expect(ports[service.spec.ports[0].targetPort]).toBe(expected);
    },
  );

  test('gateways use a headless service, whose name resolves to every worker', () => {
    const { metadata, spec } = ofKind('Service')['ledger-worker'];
    expect(spec.clusterIP).toBe('None');
    const { LEDGER_WORKER_ADDRESS } = environmentOf(ofKind('Deployment').gateway.spec.template);
    expect(LEDGER_WORKER_ADDRESS).toBe(`dns:///${metadata.name}:${spec.ports[0].port}`);
  });

  test.each(deployments)(
    '%s always has two replicas available, and never more than the database has connections for',
    (name) => {
      const { minReplicas, maxReplicas, scaleTargetRef } = ofKind('HorizontalPodAutoscaler')[name].spec;
      const { template, strategy, selector } = ofKind('Deployment')[name].spec;
      expect(scaleTargetRef.name).toBe(name);
      const { maxUnavailable, selector: guarded } = ofKind('PodDisruptionBudget')[name].spec;
      expect([guarded, minReplicas - maxUnavailable]).toEqual([selector, 2]);
      expect(strategy.rollingUpdate.maxUnavailable).toBe(0);
      // Postgres reserves 3 of its 100 connections for superusers. Each worker has one more for its health check.
      const pool = Number(environmentOf(template).DATABASE_POOL_MAX ?? 0);
      expect((maxReplicas + strategy.rollingUpdate.maxSurge) * (pool + 1)).toBeLessThanOrEqual(97);
    },
  );
});

describe('distributed database:', () => {
  const job = ofKind('Job').distribute.spec.template;

  test.each(servers)(
    '%s has the settings of the page, a name for each server, and the labels of the policies',
    (name, { spec }) => {
      const { command, image } = containerOf(spec.template);
      expect(citusFlags().filter((flag) => !command.join().includes(flag))).toEqual([]);
      expect(image).toBe('citusdata/citus:13.2.0');
      const service = ofKind('Service')[spec.serviceName];
      expect([spec.serviceName, service.spec.clusterIP]).toEqual([name, 'None']);
      expect(service.spec.selector).toEqual(spec.selector.matchLabels);
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    },
  );

  test('the Job adds every node, migrates, and distributes', () => {
    const { initContainers, containers } = job.spec;
    const commands = [...initContainers, ...containers].map(({ command }: Json) => command.join(' '));
    expect(commands[0]).toContain('citus_add_node');
    const entries = ['bun ledger-worker/migrate-main.ts', 'bun ledger-worker/distribute-main.ts'];
    expect(commands.slice(1)).toEqual(entries);
    const { replicas, serviceName } = ofKind('StatefulSet')['citus-node'].spec;
    const nodes = [...commands[0].matchAll(/citus_add_node\('([\w.-]+)', 5432\)/g)].map(([, node]) => node);
    expect(nodes).toEqual(Array.from({ length: replicas }, (_, n) => `${serviceName}-${n}.${serviceName}`));
    for (const node of nodes) expect(commands[0]).toContain(`@${node}/ledger`);
  });
});

describe('hardened:', () => {
  const templatesOfServers = servers.map(([name, { spec }]): [string, Json] => [name, spec.template]);
  test.each([...workloads, ...toolJobs, ...templatesOfServers])(
    '%s has no service account token, no root user, no capabilities and a read-only root',
    (_, { spec }) => {
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const { securityContext, resources } of [...(spec.initContainers ?? []), ...spec.containers]) {
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
    for (const [file, text] of Object.entries(texts))
      expect([file, SECRET_VALUE.exec(text)]).toEqual([file, null]);
    const variables: Json[] = [...workloads, ...toolJobs].flatMap(
      ([, template]) => containerOf(template).env,
    );
    const secret = variables.filter(({ name }) => /DATABASE_URL|REDIS_URL|PASSWORD|SECRET|TOKEN/.test(name));
    expect(secret.length).toBeGreaterThan(1);
    for (const { value, valueFrom } of secret) {
      expect([value, valueFrom.secretKeyRef.key]).toEqual([undefined, expect.any(String)]);
    }
  });

  test('exactly these connections are allowed, and none to the Admin service', () => {
    const policies = Object.entries(ofKind('NetworkPolicy'));
    expect(ofKind('NetworkPolicy')['default-deny'].spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const allowed = (direction: 'ingress' | 'egress', peers: 'from' | 'to') =>
      policies.flatMap(([, { spec }]) =>
        (spec[direction] ?? []).map((rule: Json) => {
          const ports = rule.ports.map(({ port }: Json) => port);
          return `${nameIn(spec)} ${peers} ${rule[peers].map(peerName)}: ${[...new Set(ports)]}`;
        }),
      );
    expect(allowed('ingress', 'from').sort()).toEqual([
      'gateway from ingress: 3000',
      'gateway,ledger-worker from monitoring prometheus: 9464',
      'ledger-worker from gateway: 50051',
      'postgres from backup: 5432',
      'postgres from ledger-worker,migrate: 5432',
      'postgres from postgres: 5432',
      'redis from gateway: 6379',
    ]);
    expect(allowed('egress', 'to').sort()).toEqual([
      'all pods to kube-system kube-dns: 53',
      'backup to postgres: 5432',
      'gateway to ledger-worker: 50051',
      'gateway to redis: 6379',
      'ledger-worker to postgres: 5432',
      'migrate to postgres: 5432',
      'postgres to postgres: 5432',
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
