/** compose.yaml, also with deploy/compose.citus.yaml, and the Dockerfile: consistent with the processes, and hardened. */
import { describe, expect, test } from 'bun:test';
import { addressesIn } from '../../ledger-worker/database/address.ts';
import { read } from '../fixtures/checkout.ts';
import { DISTRIBUTED, PLAIN, seconds } from './compose-files.ts';
import type { Json } from './manifests.ts';
import { drainMs, type ProcessName, portOf, SECRET_VALUE, VARIABLES } from './processes.ts';
import { citusFlags } from './runbook.ts';

const FILES: [string, compose: Json, databases: string[], steps: string[]][] = [
  ['compose.yaml', PLAIN, ['postgres'], []],
  [
    'compose.yaml with deploy/compose.citus.yaml',
    DISTRIBUTED,
    ['postgres', 'node-1', 'node-2'],
    ['cluster', 'migrate', 'distribute'],
  ],
];

const { version, packageManager } = JSON.parse(read('package.json'));
const PROCESSES: ProcessName[] = ['gateway', 'ledger-worker'];
const COUNTS = { gateway: 'GATEWAYS', 'ledger-worker': 'LEDGER_WORKERS' };

describe.each(FILES)('%s:', (_, compose, databases, steps) => {
  const services = Object.entries<Json>(compose.services);
  const withDatabase = ['ledger-worker', ...databases, ...steps].sort();
  const namesOf = (isChosen: (service: Json) => unknown) =>
    services.flatMap(([name, service]) => (isChosen(service) ? [name] : [])).sort();

  test.each(PROCESSES)(
    '%s runs the image of this version, as often as .env says, with settings that it reads, and may drain',
    (name) => {
      const { image, command, healthcheck, environment, stop_grace_period, deploy } = compose.services[name];
      expect(deploy.replicas).toBe(`\${${COUNTS[name]}:-2}`);
      expect(image).toBe(`bookkeeping-ledger-api:${version}`);
      expect(command.join(' ')).toEndWith(`bun ${name}/main.ts`);
      expect(healthcheck.test).toEqual(['CMD', 'bun', `${name}/healthcheck.ts`]);
      expect(VARIABLES[name]).toEqual(expect.arrayContaining(Object.keys(environment)));
      expect(seconds(stop_grace_period) * 1_000).toBeGreaterThan(drainMs(name, environment));
    },
  );

  test('gateways connect to the port where workers listen', () => {
    const { gateway, 'ledger-worker': worker } = compose.services;
    const port = portOf('ledger-worker', worker.environment);
    expect(gateway.environment.LEDGER_WORKER_ADDRESS).toBe(`dns:///ledger-worker:${port}`);
  });

  test('exactly these services share a network, and only the proxy is on a network that is not internal', () => {
    const networks = Object.entries<Json>(compose.networks).map(([network, { internal }]) => {
      const members = namesOf((service) => service.networks.includes(network));
      return `${network}: ${members}${internal ? '' : ' and the outside'}`;
    });
    expect(networks).toEqual([
      'front: proxy and the outside',
      'edge: gateway,proxy',
      'calls: gateway,ledger-worker',
      'limits: gateway,redis',
      `database: ${withDatabase}`,
    ]);
    expect(namesOf(({ ports }) => ports)).toEqual(['proxy']);
  });

  test.each(services)(
    '%s has a version, no capabilities, a read-only root, resource limits and a restart policy',
    (name, service) => {
      expect(service.image).toMatch(/^[\w/-]+:\d+(\.\d+)*(-alpine)?$/);
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: steps.includes(name) ? 'on-failure' : 'unless-stopped',
      });
      const { cpus, memory, pids } = service.deploy.resources.limits;
      expect([Number(cpus) > 0, /^\d+[MG]$/.test(memory), pids > 0]).toEqual([true, true, true]);
    },
  );

  test('only what connects to Postgres mounts the password', () => {
    expect(namesOf(({ secrets }) => secrets)).toEqual(withDatabase);
    const variables = services.flatMap(([, { environment = {} }]) => Object.entries(environment));
    const secret = variables.filter(([name]) => /PASSWORD|SECRET|TOKEN/.test(name));
    expect(secret).toEqual(databases.map(() => ['POSTGRES_PASSWORD_FILE', '/run/secrets/postgres-password']));
  });
});

test('no file contains the password, and the file that has it is not committed', () => {
  const proxy = ['deploy/haproxy/haproxy.cfg', 'deploy/haproxy/compose.cfg'];
  const files = ['compose.yaml', 'deploy/compose.citus.yaml', 'Dockerfile', ...proxy];
  expect(files.filter((file) => SECRET_VALUE.test(read(file)))).toEqual([]);
  // A secret from a variable does not work: Compose cannot write it into a container with a read-only root.
  expect(PLAIN.secrets['postgres-password'].file).toContain('deploy/secrets/');
  expect(read('.gitignore')).toContain('deploy/secrets/');
});

describe('distributed database:', () => {
  const { services } = DISTRIBUTED;

  test.each([
    ['postgres', 'database'],
    ['node-1', 'node-1'],
    ['node-2', 'node-2'],
  ])(
    '%s has its own volume, the settings of the page, and a version of Citus without the fault',
    (name, volume) => {
      const { volumes, image, command } = services[name];
      expect([volumes, image]).toEqual([[`${volume}:/var/lib/postgresql`], 'citusdata/citus:13.2.0']);
      expect(citusFlags().filter((flag) => !command.join().includes(flag))).toEqual([]);
    },
  );

  test('workers start after nodes were added, the schema migrated and the database distributed, with the address of every node', () => {
    const depends_on = (name: string) => ({
      depends_on: { [name]: { condition: 'service_completed_successfully' } },
    });
    expect(services).toMatchObject({
      migrate: depends_on('cluster'),
      distribute: depends_on('migrate'),
      'ledger-worker': { ...depends_on('distribute'), environment: { MIGRATE: 'never' } },
    });
    for (const name of ['migrate', 'distribute'])
      expect(services[name].command.join(' ')).toEndWith(` bun ledger-worker/${name}-main.ts`);
    const addresses = addressesIn(services['ledger-worker'].environment.DATABASE_URL);
    expect(addresses.map((url) => new URL(url).hostname)).toEqual(['node-1', 'node-2']);
  });
});

describe('the image:', () => {
  const dockerfile = read('Dockerfile');

  test('contains the production packages, the folders of the processes and the built page, and nothing else', () => {
    expect(dockerfile).toContain('RUN bun install --production --frozen-lockfile');
    const image = dockerfile.split(/^FROM /m).at(-1) ?? '';
    const builtPage = 'COPY --from=pages /service/clients/web/dist ./clients/web/dist';
    expect(image.split('\n').filter((line) => /clients/.test(line))).toEqual([builtPage]);
    const lists = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].map(([, names]) => `${names}`);
    const copied = new Set(lists.flatMap((names) => names.split(' ')));
    const ofProcesses = [...PROCESSES, 'admin', 'docs/api', 'platform', 'proto'];
    const ofClients = ['clients/typescript', 'clients/web'];
    const files = ['bun.lock', 'bunfig.toml', 'package.json', 'tsconfig.json'];
    const sources = [...ofProcesses, ...ofClients, ...files];
    const parts = ['gateway/docs-page', ...ofClients.map((client) => `${client}/package.json`)];
    expect([...copied].sort()).toEqual([...sources, ...parts].sort());
    const ignored = read('.dockerignore').trim().split('\n');
    expect(ignored.sort()).toEqual(['*', 'clients/*/dist*', ...sources.map((name) => `!${name}`)].sort());
  });

  test('has the Bun version of package.json, does not run as root, and has a health check', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set([`oven/bun:${packageManager.split('@')[1]}-slim`]));
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*"gateway\/healthcheck\.ts"\]$/m);
  });
});
