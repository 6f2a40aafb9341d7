/** Mutual TLS between gateway, worker and command line: both sides present a certificate of the same CA. */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type ChannelCredentials,
  type ChannelOptions,
  credentials,
  experimental,
  ServerCredentials,
} from '@grpc/grpc-js';
import type { ProvidedCertificates } from './certificates.ts';

export interface ClientSecurity {
  credentials: ChannelCredentials;
  options: ChannelOptions;
}

/**
 * The security of a client's channel. Without certificates it uses no TLS.
 * @param target the server's certificate must have this name, or one of these IP addresses
 * @param anyName true: skips the check of the name, for a server on this machine
 */
export function clientSecurity(
  target: string,
  certificates: ProvidedCertificates | undefined,
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

// The library would send the address as the TLS server name, which must not be an IP address.
const NO_NAME = 'address.invalid';

/** The IP addresses of a gRPC target; empty when it is a host name. */
function addressesOf(target: string): string[] {
  const path = target.replace(/^(dns:(\/\/[^/]*\/)?|ipv[46]:)/, '');
  return path
    .split(',')
    .map((each) => experimental.splitHostPort(each)?.host ?? each)
    .filter((host) => isIP(host) !== 0);
}

/** The security of a server, which then refuses clients without a certificate. Without certificates it uses no TLS. */
export function serverCredentials(certificates: ProvidedCertificates | undefined): ServerCredentials {
  if (!certificates) return ServerCredentials.createInsecure();
  const provider = providerOf(certificates);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}

/** The library's own provider reads each file by itself and would stop serving while files are being replaced. */
function providerOf({ latest, onReplaced }: ProvidedCertificates): experimental.CertificateProvider {
  const sends = new Map<object, () => void>();
  const add = (listener: object, send: () => void) => {
    sends.set(listener, send);
    // Asynchronously, because the listener is not ready yet.
    process.nextTick(send);
  };
  const remove = (listener: object) => sends.delete(listener);
  onReplaced(() => {
    for (const send of sends.values()) send();
  });
  return {
    addCaCertificateListener: (listener) =>
      add(listener, () => {
        const { ca } = latest();
        listener(ca ? { caCertificate: ca } : null);
      }),
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: (listener) =>
      add(listener, () => {
        const { cert, key } = latest();
        listener({ certificate: cert, privateKey: key });
      }),
    removeIdentityCertificateListener: remove,
  };
}
