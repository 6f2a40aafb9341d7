/** DATABASE_URL: one host, or several of a distributed database, and the verification of their certificates. */
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls';
import { readAuthorities } from '../../platform/certificates.ts';
import { isAddress } from '../../platform/environment.ts';

/**
 * An address of each host that `text` lists: `postgres://user:password@one:5432,two/name` has two. User, password, name and
 * options apply to all.
 * @throws TypeError
 */
export function addressesIn(text: string): string[] {
  const [, scheme = '', authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/.exec(text) ?? [];
  const atSign = authority.lastIndexOf('@') + 1;
  const addresses = authority
    .slice(atSign)
    .split(',')
    .map((host) => `${scheme}${authority.slice(0, atSign)}${host}${rest}`);
  for (const address of addresses) {
    if (scheme === '' || !isAddress(address))
      throw new TypeError(
        'expected a postgres:// address, with special characters of user and password percent-encoded',
      );
    const url = new URL(address);
    tlsOf(url.searchParams, () => url.hostname);
    if (addresses.length > 1 && (url.hostname === '' || url.searchParams.has('host'))) {
      throw new TypeError('each of several hosts needs a name or an IP address');
    }
  }
  return addresses;
}

const MODES: Record<string, 'nothing' | 'authority' | 'name' | undefined> = {
  require: 'nothing',
  'verify-ca': 'authority',
  'verify-full': 'name',
};
const KNOWN = ['sslmode', 'sslrootcert'];

/**
 * The library's TLS options for libpq's `sslmode` and `sslrootcert` in an address. False: no TLS.
 * @param host returns the name or IP address that `verify-full` requires of the certificate
 * @throws TypeError for an unsupported option: protection must not be dropped silently. Error when the file cannot be read
 */
export function tlsOf(options: URLSearchParams, host: () => string): false | ConnectionOptions {
  const unknown = [...options.keys()].filter((name) => name.startsWith('ssl') && !KNOWN.includes(name));
  if (unknown.length > 0) throw new TypeError(`${unknown.join(', ')} is not supported`);
  if (options.has('sslrootcert') && !options.has('sslmode'))
    throw new TypeError('sslrootcert has no effect without sslmode: add sslmode=verify-full');
  const mode = options.get('sslmode') ?? 'disable';
  if (mode === 'disable') return false;
  const verified = MODES[mode];
  if (!verified) throw new TypeError(`sslmode is disable, ${Object.keys(MODES).join(', ')}`);
  const root = options.get('sslrootcert');
  const rootFile = root === null || root === 'system' ? undefined : root;
  return {
    ...(rootFile !== undefined && { ca: readAuthorities(rootFile) }),
    // As in libpq: a given authority is verified even with `require`.
    rejectUnauthorized: verified !== 'nothing' || rootFile !== undefined,
    // The library passes no name if the host is an IP address.
    checkServerIdentity: (_: string, certificate: PeerCertificate) =>
      verified === 'name' ? checkServerIdentity(host(), certificate) : undefined,
  };
}
