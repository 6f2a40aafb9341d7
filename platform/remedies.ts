/** The remedy of each error of a connection to a server, and of an address to listen on. */
import { lookup } from 'node:dns/promises';

/** The first pattern that is found in the code or the text of an error has its remedy. */
export type Remedies = readonly (readonly [pattern: RegExp, remedy: string])[];

const OF_THE_NETWORK: Remedies = [
  [/ENOTFOUND|EAI_AGAIN|Name resolution failed/, 'no address is known for that name, correct the host'],
  [/ECONNREFUSED/, 'start the server, or correct host and port'],
  [/ENOENT/, 'start the server, or correct the path'],
  [/TIMEOUT|ETIMEDOUT|UNREACH|no re(ply|sponse)/, 'correct host and port, or let the firewall pass them'],
  [/ALTNAME/, 'write a name that the certificate has'],
  [/HAS_EXPIRED|has expired/, 'renew the certificate of the server'],
];

const OF_A_WORKER: Remedies = [
  [
    /unknown|UNIMPLEMENTED/i,
    'it is not the Ledger service, set the LISTEN_ADDRESS of the worker, not its ADMIN_ADDRESS',
  ],
  [/WRONG_VERSION/, 'the worker uses no TLS, remove the MTLS_ variables here or set them there'],
  [
    /Failed to connect/,
    'the worker requires a valid certificate in MTLS_CERT_FILE, of the authority in its MTLS_CA_FILE',
  ],
  [/certificate chain|issuer|verify/, 'MTLS_CA_FILE is not the authority of the certificate of the worker'],
];

/** Why there is no response of a worker, by the details of a gRPC error. */
export function workerReason(details: string): string | undefined {
  if (details.startsWith('Deadline exceeded'))
    return withRemedy({ message: 'no reply in time' }, OF_A_WORKER);
  const [, message = details] = /.*Last error: (?:Error:? )?(.*)\. Resolution note: /.exec(details) ?? [];
  return withRemedy({ message }, OF_A_WORKER);
}

/**
 * The text of an error, followed by the way out where it is known. Undefined without an error.
 * @param own remedies of this kind of server: these precede the ones of the network
 */
export function withRemedy(error: unknown, own: Remedies): string | undefined {
  if (error === undefined) return undefined;
  // Not every error of a connection has a message.
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const reason = message.split('\n')[0]?.replace(/[.: ]+$/, '') || code;
  const [, remedy] =
    [...own, ...OF_THE_NETWORK].find(([pattern]) => pattern.test(`${code} ${message}`)) ?? [];
  return remedy ? `${reason}: ${remedy}` : reason;
}

const BIND_REASONS: Record<string, string> = {
  EADDRINUSE: 'another process listens there: stop it, or choose another port',
  EADDRNOTAVAIL:
    'this machine has no such address: 0.0.0.0 is all of its addresses, 127.0.0.1 this machine alone',
  EACCES: 'this user may not listen on that port: choose one from 1024 on',
};

/** @param variables that set the address. @param address `host:port` */
export async function bindError(variables: string, address: string, error: unknown): Promise<Error> {
  const { code = '', message } = error as { code?: string; message?: string };
  // grpc-js has the code in its message only.
  const known = Object.keys(BIND_REASONS).find((each) => each === code || message?.includes(each));
  const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  // Bun reports any code for a name without an address.
  const hasAddress = await lookup(host).then(
    () => true,
    () => false,
  );
  const reason = hasAddress ? (known && BIND_REASONS[known]) || message : 'no address is known for that name';
  return new Error(`${variables}: cannot listen on ${address}, ${reason}.`, { cause: error });
}
