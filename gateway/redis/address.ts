/** Redis's address from the environment: one server, a cluster, or a master behind sentinels. */
import { makeValidator } from 'envalid';
import { isAddress } from '../../platform/environment.ts';

/** Some servers of a cluster or of its sentinels, with their common credentials. */
export interface Servers {
  nodes: { host: string; port: number }[];
  /** TLS with a certificate that this machine trusts. */
  isEncrypted: boolean;
  username: string | undefined;
  password: string | undefined;
}

export type RedisAddress =
  /** `redis://…`, `rediss://…` or the path of a unix socket. */
  | { kind: 'server'; url: string }
  /** Any of its nodes: they name the others. */
  | { kind: 'cluster'; seeds: Servers }
  /** `masterName`: the name under which the sentinels monitor the master. */
  | { kind: 'sentinel'; sentinels: Servers; masterName: string };

interface RedisVariables {
  REDIS_URL: string | undefined;
  REDIS_CLUSTER: Servers | undefined;
  REDIS_SENTINELS: Servers | undefined;
  REDIS_SENTINEL_NAME: string | undefined;
}

/** The variable that has each kind of address. */
export const VARIABLES = {
  server: 'REDIS_URL',
  cluster: 'REDIS_CLUSTER',
  sentinel: 'REDIS_SENTINELS',
} as const;

/** Undefined without Redis. @throws Error in one sentence when variables contradict each other, or one of a pair is missing */
export function redisAddress({
  REDIS_URL: url,
  REDIS_CLUSTER: seeds,
  REDIS_SENTINELS: sentinels,
  REDIS_SENTINEL_NAME: masterName,
}: RedisVariables): RedisAddress | undefined {
  if ([url, seeds, sentinels].filter((each) => each !== undefined).length > 1) {
    throw new Error(
      'The configuration cannot be used: only one of REDIS_URL, REDIS_CLUSTER and REDIS_SENTINELS may be set.',
    );
  }
  if ((sentinels === undefined) !== (masterName === undefined)) {
    throw new Error(
      'The configuration cannot be used: REDIS_SENTINELS and REDIS_SENTINEL_NAME belong together.',
    );
  }
  if (seeds) return { kind: 'cluster', seeds };
  if (sentinels && masterName !== undefined) return { kind: 'sentinel', sentinels, masterName };
  return url === undefined ? undefined : { kind: 'server', url };
}

/** `host:port,host:port`, optionally after one `redis://user:password@` or `rediss://user:password@` for all of them. */
export const servers = makeValidator<Servers>((text) => {
  const [, scheme = 'redis:', userInfo = '', list = ''] =
    /^(?:(rediss?:)\/\/(?:([^@/]*)@)?)?([^@/]+)$/.exec(text) ?? [];
  const addresses = list.split(',').map((hostAndPort) => parsed(`redis://${userInfo}@${hostAndPort.trim()}`));
  const [first] = addresses;
  if (!first) throw new TypeError('expected host:port, or several with commas between them');
  return {
    nodes: addresses.map(({ hostname, port }) => ({
      // Without the brackets of an IPv6 address.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port),
    })),
    isEncrypted: scheme === 'rediss:',
    username: decodeURIComponent(first.username) || undefined,
    password: decodeURIComponent(first.password) || undefined,
  };
});

function parsed(address: string): URL {
  const url = isAddress(address) ? URL.parse(address) : null;
  if (!url?.hostname || !url.port)
    throw new TypeError(
      'expected host:port, each with its port, with special characters of user and password percent-encoded',
    );
  return url;
}
