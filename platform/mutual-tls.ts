/** TLS between gateway, worker and command line: each shows a certificate, and asks for one, of the same authority. */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type ChannelCredentials,
  type ChannelOptions,
  credentials,
  experimental,
  ServerCredentials,
} from '@grpc/grpc-js';
import type { FollowedCertificates } from './certificates.ts';

/** How a client speaks to a server. */
export interface ClientSecurity {
  credentials: ChannelCredentials;
  options: ChannelOptions;
}

/**
 * What a client trusts and shows. Without certificates it speaks plain gRPC.
 * @param target whose name the server's certificate must have; where it is one or more addresses, one of these
 * @param anyName true: it may have any name, for who asks a server on this very machine
 */
export function clientSecurity(
  target: string,
  certificates: FollowedCertificates | undefined,
  { anyName = false } = {},
): ClientSecurity {
  if (!certificates) return { credentials: credentials.createInsecure(), options: {} };
  const addresses = addressesOf(target);
  const check = (_: string, certificate: PeerCertificate) => {
    if (anyName) return undefined;
    const errors = addresses.map((address) => checkServerIdentity(address, certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  };
  const provider = providerOf(certificates);
  return {
    credentials: experimental.createCertificateProviderChannelCredentials(
      provider,
      provider,
      addresses.length > 0 ? { checkServerIdentity: check } : {},
    ),
    options: addresses.length > 0 ? { 'grpc.ssl_target_name_override': NO_NAME } : {},
  };
}

// The library would give TLS the address as the name that it asks for, which may not be one.
const NO_NAME = 'address.invalid';

/** The IP addresses of a gRPC target; none when it has a name. */
function addressesOf(target: string): string[] {
  const path = target.replace(/^(dns:(\/\/[^/]*\/)?|ipv[46]:)/, '');
  return path
    .split(',')
    .map((each) => experimental.splitHostPort(each)?.host ?? each)
    .filter((host) => isIP(host) !== 0);
}

/** What a server trusts and shows: a client without a certificate is refused. Without certificates it speaks plain gRPC. */
export function serverCredentials(certificates: FollowedCertificates | undefined): ServerCredentials {
  if (!certificates) return ServerCredentials.createInsecure();
  const provider = providerOf(certificates);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}

/** The library's own looks at each file alone: with files that are just being replaced it would stop serving. */
function providerOf({ latest, onReplaced }: FollowedCertificates): experimental.CertificateProvider {
  const authorities = new Set<experimental.CaCertificateUpdateListener>();
  const identities = new Set<experimental.IdentityCertificateUpdateListener>();
  const tellAuthorities = (listener: experimental.CaCertificateUpdateListener) => {
    const { ca } = latest();
    listener(ca ? { caCertificate: ca } : null);
  };
  const tellIdentity = (listener: experimental.IdentityCertificateUpdateListener) => {
    const { cert, key } = latest();
    listener({ certificate: cert, privateKey: key });
  };
  onReplaced(() => {
    for (const listener of authorities) tellAuthorities(listener);
    for (const listener of identities) tellIdentity(listener);
  });
  return {
    // Not before the listener itself is ready.
    addCaCertificateListener(listener) {
      authorities.add(listener);
      process.nextTick(tellAuthorities, listener);
    },
    removeCaCertificateListener: (listener) => authorities.delete(listener),
    addIdentityCertificateListener(listener) {
      identities.add(listener);
      process.nextTick(tellIdentity, listener);
    },
    removeIdentityCertificateListener: (listener) => identities.delete(listener),
  };
}
