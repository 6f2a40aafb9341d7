/** A Debian machine: a root file system made by debootstrap, with systemd as its first process, in namespaces of its own. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, type StopStep, spawnChild } from '../../../local/processes/child.ts';
import { runToEnd } from '../../fixtures/checkout.ts';
import { until } from '../../fixtures/until.ts';
import { succeed } from '../containers/commands.ts';

/** Is kept from one run to the next: an empty root file system of each version takes minutes. */
const EMPTY = '/var/tmp/ledger-debian';
const NEEDED = ['debootstrap', 'systemd-nspawn', 'slirp4netns'];
export const missing =
  process.getuid?.() === 0 ? NEEDED.filter((name) => Bun.which(name) === null) : ['the rights of root'];

/** The authorities that this machine trusts beside Debian's, for one whose registries are behind a proxy. */
const AUTHORITIES = '/usr/local/share/ca-certificates';
const BUNDLE = '/etc/ssl/certs/ca-certificates.crt';
const POWER_OFF: StopStep[] = [['SIGTERM', 90_000]];

/** A new root file system of the version, as Debian's installer leaves it. */
export async function emptyDebian(suite: string, root: string): Promise<void> {
  const empty = join(EMPTY, suite);
  if (!existsSync(empty)) {
    mkdirSync(EMPTY, { recursive: true });
    rmSync(`${empty}.new`, { recursive: true, force: true });
    const mirror = (await succeed(['apt-get', 'indextargets', '--format', '$(REPO_URI)'])).split('\n')[0];
    await succeed(['debootstrap', suite, `${empty}.new`, `${mirror}`, '/usr/share/debootstrap/scripts/sid']);
    renameSync(`${empty}.new`, empty);
  }
  await succeed(['cp', '-a', empty, root]);
  // A machine that ends with the test need not survive a loss of power.
  writeInto(root, 'etc/dpkg/dpkg.cfg.d/unsafe-io', 'force-unsafe-io\n');
  if (existsSync(AUTHORITIES)) cpSync(AUTHORITIES, join(root, AUTHORITIES), { recursive: true });
}

export interface Machine {
  /** Runs commands as root. @returns their output @throws Error with it when one fails */
  run(script: string, env?: Record<string, string>): Promise<string>;
  /** Powers it off, as a shutdown does. */
  stop(): Promise<void>;
}

export async function boot(root: string): Promise<Machine> {
  const flags = [
    '--register=no',
    '--keep-unit',
    '--private-network',
    '--resolv-conf=replace-host',
    '--console=pipe',
  ];
  const env = { ...process.env, UNIFIED_CGROUP_HIERARCHY: '1' };
  const command = ['systemd-nspawn', '--boot', `--directory=${root}`, ...flags, '--hostname=debian'];
  const machine = spawnChild({ name: 'Debian', command, env });
  const firstProcess = () => readFileSync(`/proc/${machine.pid}/task/${machine.pid}/children`, 'utf8').trim();
  const inside = (script: string, variables: Record<string, string> = {}) =>
    runToEnd([
      'nsenter',
      `--target=${firstProcess()}`,
      ...['--mount', '--net', '--pid', '--ipc', '--uts', '--cgroup', '--root', '--wd', 'env', '-i'],
      ...Object.entries({ ...ENVIRONMENT, ...variables }).map(([name, value]) => `${name}=${value}`),
      ...['bash', '-euo', 'pipefail', '-c', script],
    ]);
  const run = async (script: string, variables?: Record<string, string>) => {
    const { exitCode, out, err } = await inside(script, variables);
    if (exitCode !== 0) throw new Error(`${script}\n${out}${err}`);
    return out;
  };
  const children: Child[] = [machine];
  const stop = async () => {
    for (const child of children.toReversed()) await child.stop(POWER_OFF);
  };
  const isUp = async (script: string, answer: RegExp) => answer.test((await inside(script)).out);
  const booted = async () =>
    firstProcess() !== '' && (await isUp('systemctl is-system-running', /^(running|degraded)/));
  await until('Debian has booted', booted);
  const network = ['slirp4netns', '--configure', '--disable-host-loopback', firstProcess(), 'tap0'];
  children.push(spawnChild({ name: 'network of Debian', command: network, env: process.env }));
  await until('Debian has a network', () => isUp('ip -4 route show default', /tap0/));
  return { run, stop };
}

/** The variables of a terminal of root. Bun and Node do not read Debian's bundle by themselves. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  DEBIAN_FRONTEND: 'noninteractive',
  NODE_EXTRA_CA_CERTS: BUNDLE,
};

/** A repository with one commit of this checkout as it is, and `commit` for one more. */
export async function publishCheckout(checkout: string, repository: string) {
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  const git = (...words: string[]) =>
    succeed(['git', `--git-dir=${repository}`, `--work-tree=${checkout}`, ...author, ...words]);
  await succeed(['git', 'init', '--quiet', '--bare', repository]);
  await git('add', '--all');
  const commit = async (message: string) => {
    await git('commit', '--quiet', '--allow-empty', `--message=${message}`);
    return (await git('rev-parse', 'HEAD')).trim();
  };
  await commit('The first version');
  return { commit };
}

export const writeInto = (root: string, file: string, text: string) => writeFileSync(join(root, file), text);
