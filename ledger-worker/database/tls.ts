/** TLS to Postgres by libpq's `sslmode` and `sslrootcert`: what is verified of the server's certificate. */
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls';

const MODES: Record<string, 'nothing' | 'authority' | 'name' | undefined> = {
  require: 'nothing',
  'verify-ca': 'authority',
  'verify-full': 'name',
};
const KNOWN = ['sslmode', 'sslrootcert'];

/**
 * The library's TLS options for those of an address. False: no TLS.
 * @param host the name or IP address that `verify-full` requires of the certificate
 * @throws TypeError for an unsupported option: protection must not be dropped silently. Error when the file cannot be read
 */
export function tlsOf(options: URLSearchParams, host: string): false | ConnectionOptions {
  const unknown = [...options.keys()].filter((name) => name.startsWith('ssl') && !KNOWN.includes(name));
  if (unknown.length > 0) throw new TypeError(`${unknown.join(', ')} is not supported`);
  const mode = options.get('sslmode') ?? 'disable';
  if (mode === 'disable') return false;
  const verified = MODES[mode];
  if (!verified) throw new TypeError(`sslmode is disable, ${Object.keys(MODES).join(', ')}`);
  const root = options.get('sslrootcert');
  const rootFile = root === null || root === 'system' ? undefined : root;
  return {
    ...(rootFile !== undefined && { ca: readFileSync(rootFile) }),
    // As in libpq: a given authority is verified even with `require`.
    rejectUnauthorized: verified !== 'nothing' || rootFile !== undefined,
    // The library passes no name if the host is an IP address.
    checkServerIdentity: (_: string, certificate: PeerCertificate) =>
      verified === 'name' ? checkServerIdentity(host, certificate) : undefined,
  };
}
