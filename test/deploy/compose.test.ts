/** compose.yaml, also with deploy/compose.citus.yaml, and the Dockerfile: consistent with the processes, and hardened. */
import { describe, expect, test } from 'bun:test';
import { addressesIn } from '../../ledger-worker/database/address.ts';
import { read } from '../fixtures/checkout.ts';
import { type ComposeService, DISTRIBUTED, PLAIN, seconds } from './compose-files.ts';
import { drainMs, type ProcessName, portOf, SECRET_VALUE, VARIABLES } from './processes.ts';
import { gatewayOfProxy } from './proxy-settings.ts';
import { citusFlags } from './runbook.ts';

const FILES = [
  [
    'compose.yaml',
    {
      compose: PLAIN,
      databases: ['postgres'],
      steps: [],
      connections: [
        'gateway - ledger-worker',
        'gateway - proxy',
        'gateway - redis',
        'ledger-worker - postgres',
      ],
    },
  ],
  [
    'compose.yaml with deploy/compose.citus.yaml',
    {
      compose: DISTRIBUTED,
      databases: ['node-1', 'node-2', 'postgres'],
      steps: ['cluster', 'distribute', 'migrate'],
      connections: [
        'gateway - ledger-worker',
        'gateway - proxy',
        'gateway - redis',
        // All in the network of the databases.
        ...pairsOf(['cluster', 'distribute', 'ledger-worker', 'migrate', 'node-1', 'node-2', 'postgres']),
      ],
    },
  ],
] as const;

function pairsOf(names: string[]): string[] {
  return names.flatMap((one, n) => names.slice(n + 1).map((other) => `${one} - ${other}`));
}

const { version } = JSON.parse(read('package.json'));
const PROCESSES: ProcessName[] = ['gateway', 'ledger-worker'];
const COUNTS = { gateway: 'GATEWAYS', 'ledger-worker': 'LEDGER_WORKERS' };

describe.each(FILES)('%s is consistent with the processes:', (_, { compose }) => {
  const service = (name: string) => compose.services[name] as ComposeService;

  test.each(PROCESSES)(
    '%s runs the image of this version, as often as .env says, with settings that it reads, and may drain',
    (name) => {
      const { image, command = [], healthcheck, environment = {}, stop_grace_period, deploy } = service(name);
      expect(deploy.replicas).toBe(`\${${COUNTS[name]}:-2}`);
      expect(image).toBe(`bookkeeping-ledger-api:${version}`);
      expect(command.join(' ')).toEndWith(`bun ${name}/main.ts`);
      expect(healthcheck.test).toEqual(['CMD', 'bun', `${name}/healthcheck.ts`]);
      expect(Object.keys(environment).filter((variable) => !VARIABLES[name].includes(variable))).toEqual([]);
      expect(seconds(stop_grace_period) * 1_000).toBeGreaterThan(drainMs(name, environment));
    },
  );

  test('every service is checked each second until it is healthy, and then twice a minute', () => {
    for (const [name, { healthcheck }] of Object.entries(compose.services)) {
      if (healthcheck.disable) continue;
      expect([name, healthcheck]).toMatchObject([name, { start_interval: '1s', interval: '30s' }]);
    }
  });

  test('the proxy and the gateway connect to the ports where gateway and worker listen', () => {
    const { environment = {} } = service('gateway');
    const workerPort = portOf('ledger-worker', service('ledger-worker').environment ?? {});
    expect(environment.LEDGER_WORKER_ADDRESS).toBe(`dns:///ledger-worker:${workerPort}`);
    expect(gatewayOfProxy.address).toBe(`gateway:${portOf('gateway', environment)}`);
  });
});

describe.each(FILES)('%s is hardened:', (_, { compose, databases, steps, connections }) => {
  const services = Object.entries(compose.services);

  test('exactly these services share a network, and only the proxy is on a network that is not internal', () => {
    const pairs = services.flatMap(([one, { networks }]) =>
      services
        .filter(
          ([other, { networks: others }]) => one < other && networks.some((name) => others.includes(name)),
        )
        .map(([other]) => `${one} - ${other}`),
    );
    expect(pairs.sort()).toEqual([...connections].sort());
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy']);
    const open = Object.entries(compose.networks).filter(([, { internal }]) => !internal);
    expect(open.map(([name]) => name)).toEqual(['front']);
    const onFront = services.filter(([, { networks }]) => networks.includes('front'));
    expect(onFront.map(([name]) => name)).toEqual(['proxy']);
  });

  test.each(services)(
    '%s has a version, no capabilities, a read-only root, resource limits and a restart policy',
    (name, each) => {
      expect(each.image).toMatch(/^[\w/-]+:\d+(\.\d+)*(-alpine)?$/);
      expect(each).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: (steps as readonly string[]).includes(name) ? 'on-failure' : 'unless-stopped',
      });
      const { cpus, memory, pids } = each.deploy.resources.limits;
      expect([Number(cpus) > 0, /^\d+[MG]$/.test(memory), pids > 0]).toEqual([true, true, true]);
    },
  );

  test('no file contains the password; only what connects to Postgres mounts it', () => {
    for (const file of [
      'compose.yaml',
      'deploy/compose.citus.yaml',
      'Dockerfile',
      'deploy/haproxy/haproxy.cfg',
      'deploy/haproxy/compose.cfg',
    ]) {
      expect([file, SECRET_VALUE.exec(read(file))]).toEqual([file, null]);
    }
    const holders = services.filter(([, { secrets }]) => secrets).map(([name]) => name);
    expect(holders.sort()).toEqual(['ledger-worker', ...databases, ...steps].sort());
    const variables = services.flatMap(([, { environment = {} }]) => Object.entries(environment));
    const secret = variables.filter(([name]) => /PASSWORD|SECRET|TOKEN/.test(name));
    expect(secret).toEqual(databases.map(() => ['POSTGRES_PASSWORD_FILE', '/run/secrets/postgres-password']));
    // A secret from a variable does not work: Compose cannot write it into a container with a read-only root.
    expect(compose.secrets['postgres-password']?.file).toContain('deploy/secrets/');
    expect(read('.gitignore')).toContain('deploy/secrets/');
  });
});

describe('distributed database:', () => {
  const { services } = DISTRIBUTED;

  test('each server has its own volume, the settings of the page, and a version of Citus without the fault', () => {
    const servers = ['postgres', 'node-1', 'node-2'].map((name) => services[name] as ComposeService);
    expect(servers.map(({ volumes }) => volumes)).toEqual([
      ['database:/var/lib/postgresql'],
      ['node-1:/var/lib/postgresql'],
      ['node-2:/var/lib/postgresql'],
    ]);
    for (const { image, command = [] } of servers) {
      expect(image).toBe('citusdata/citus:13.2.0');
      expect(citusFlags().filter((flag) => !command.join().includes(flag))).toEqual([]);
    }
  });

  test('workers start after the nodes were added, the schema migrated and the database distributed', () => {
    const awaited = (name: string, condition: string) =>
      Object.entries(services[name]?.depends_on ?? {})
        .filter(([, each]) => each.condition === condition)
        .map(([other]) => other);
    expect(awaited('cluster', 'service_healthy')).toEqual(['postgres', 'node-1', 'node-2']);
    const done = 'service_completed_successfully';
    expect([awaited('migrate', done), awaited('distribute', done), awaited('ledger-worker', done)]).toEqual([
      ['cluster'],
      ['migrate'],
      ['distribute'],
    ]);
    for (const name of ['migrate', 'distribute']) {
      expect(services[name]?.command?.join(' ')).toEndWith(` bun ledger-worker/${name}-main.ts`);
    }
  });

  test('the workers have the address of every node, and do not migrate', () => {
    const { DATABASE_URL = '', MIGRATE } = services['ledger-worker']?.environment ?? {};
    expect(addressesIn(DATABASE_URL).map((url) => new URL(url).hostname)).toEqual(['node-1', 'node-2']);
    expect(MIGRATE).toBe('never');
  });
});

describe('the image:', () => {
  const dockerfile = read('Dockerfile');

  test('contains the production packages, the folders of the processes and the built page, and nothing else', () => {
    const image = dockerfile.split(/^FROM /m).at(-1) ?? '';
    expect(dockerfile).toContain('RUN bun install --production --frozen-lockfile');
    const builtPage = 'COPY --from=pages /service/clients/web/dist ./clients/web/dist';
    const copied = [...dockerfile.matchAll(/^COPY ((?:[\w./-]+ )+)\.\/\S*$/gm)].flatMap(([, names = '']) =>
      names.trim().split(' '),
    );
    const folders = ['clients/typescript', 'clients/web', 'docs/api', ...PROCESSES, 'platform', 'proto'];
    const packages = ['clients/typescript/package.json', 'clients/web/package.json', 'package.json'];
    const others = ['admin', 'bun.lock', 'bunfig.toml', 'gateway/docs-page', 'tsconfig.json'];
    expect([...new Set(copied)].sort()).toEqual([...folders, ...packages, ...others].sort());
    expect(image.split('\n').filter((line) => /clients/.test(line))).toEqual([builtPage]);
    const ignored = read('.dockerignore').trim().split('\n');
    expect(ignored.toSorted()).toEqual(
      ['*', 'clients/*/dist*', ...[...new Set(copied)].map((name) => `!${name}`)]
        .filter((name) => !/\/(docs-page|package\.json)$/.test(name))
        .sort(),
    );
  });

  test('has the Bun version of package.json, does not run as root, and has a health check', () => {
    const { packageManager } = JSON.parse(read('package.json'));
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set([`oven/bun:${packageManager.split('@')[1]}-slim`]));
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*"gateway\/healthcheck\.ts"\]$/m);
  });
});
