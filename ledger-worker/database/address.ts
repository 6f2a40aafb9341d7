/** DATABASE_URL: one host, or several of a distributed database. */
import { tlsOf } from './tls.ts';

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
    if (scheme === '' || !URL.canParse(address)) throw new TypeError('expected a postgres:// address');
    const url = new URL(address);
    tlsOf(url.searchParams, url.hostname);
    if (addresses.length > 1 && (url.hostname === '' || url.searchParams.has('host'))) {
      throw new TypeError('each of several hosts needs a name or an IP address');
    }
  }
  return addresses;
}

/** The address of the one host that `text` names. @throws Error in one sentence when it lists several */
export function oneAddress(text: string): string {
  const [address = '', ...more] = addressesIn(text);
  if (more.length > 0)
    throw new Error('DATABASE_URL must name one host here: on a distributed database, the coordinator.');
  return address;
}
