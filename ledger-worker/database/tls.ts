/** TLS to Postgres by libpq's `sslmode` and `sslrootcert`: negotiation, and verification of the server's certificate. */
import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { checkServerIdentity, connect } from 'node:tls';

export interface DatabaseTls {
  /** What is verified of the server's certificate; `name` includes `authority`. */
  verified: 'nothing' | 'authority' | 'name';
  /** PEM file of the trusted authorities; absent: those that this machine trusts. */
  rootFile: string | undefined;
}

const MODES: Record<string, DatabaseTls['verified'] | undefined> = {
  require: 'nothing',
  'verify-ca': 'authority',
  'verify-full': 'name',
};

/**
 * The TLS options of an address. Undefined: no TLS.
 * @throws TypeError for an unsupported option: protection must not be dropped silently
 */
export function tlsOf(address: URL): DatabaseTls | undefined {
  const { searchParams } = address;
  const unknown = [...searchParams.keys()].filter((name) => name.startsWith('ssl') && !KNOWN.includes(name));
  if (unknown.length > 0) throw new TypeError(`${unknown.join(', ')} is not supported`);
  const mode = searchParams.get('sslmode') ?? 'disable';
  if (mode === 'disable') return undefined;
  const verified = MODES[mode];
  if (!verified) throw new TypeError(`sslmode is disable, ${Object.keys(MODES).join(', ')}`);
  const root = searchParams.get('sslrootcert');
  const rootFile = root === null || root === 'system' ? undefined : root;
  // As in libpq: a given authority is verified even with `require`.
  return { verified: verified === 'nothing' && rootFile ? 'authority' : verified, rootFile };
}

const KNOWN = ['sslmode', 'sslrootcert'];

/** The address without the TLS options, for the library. */
export function withoutTls(address: URL): URL {
  const plain = new URL(address);
  for (const name of KNOWN) plain.searchParams.delete(name);
  return plain;
}

/**
 * Negotiates TLS on a connecting socket. On failure the result is a socket that fails with the reason at its first use, because
 * after a rejected promise the library would never free the connection's place in its pool.
 * @param host the name or IP address that the certificate must have
 */
export async function secured(
  socket: Socket,
  host: string,
  tls: DatabaseTls,
  timeoutMs: number,
): Promise<Duplex> {
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no TLS within ${timeoutMs} ms`)), timeoutMs);
  // Stays for later errors too, which reach the library through the TLS socket.
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the database closed the connection')));
  try {
    await Promise.race([negotiate(socket), failure]);
    return await Promise.race([handshake(socket, host, tls), failure]);
  } catch (error) {
    socket.destroy();
    const reason = `no TLS with the database: ${(error as Error).message}`;
    // Classified like any other failed connection.
    return failing(Object.assign(new Error(reason), { code: 'ECONNREFUSED' }));
  } finally {
    clearTimeout(timer);
    failure.catch(() => {});
  }
}

// The SSLRequest message: its length, and its code in place of a protocol version.
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** The server responds with exactly one byte. More would have been injected before TLS. */
async function negotiate(socket: Socket): Promise<void> {
  socket.write(SSL_REQUEST);
  const response = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  if (response.toString('latin1') !== 'S') throw new Error('the database does not speak TLS');
}

function handshake(socket: Socket, host: string, { verified, rootFile }: DatabaseTls): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = connect({
      socket,
      ...(isIP(host) === 0 && { servername: host }),
      // Read for each connection, so that a replaced file takes effect.
      ...(rootFile !== undefined && { ca: readFileSync(rootFile) }),
      rejectUnauthorized: verified !== 'nothing',
      // Checked below, with the name in the address.
      checkServerIdentity: () => undefined,
    });
    secure.once('error', reject);
    secure.once('secureConnect', () => {
      secure.off('error', reject);
      const wrongName =
        verified === 'name' ? checkServerIdentity(host, secure.getPeerCertificate()) : undefined;
      if (wrongName) reject(wrongName);
      else resolve(secure);
    });
  });
}

/** A socket that fails with this error at its first use. */
export function failing(error: Error): Duplex {
  return new Duplex({
    read() {},
    write: (_, __, done) => done(error),
    emitClose: false,
    destroy(reason, done) {
      done(reason);
      // As a socket does after an error: the library counts its attempts by it.
      process.nextTick(() => this.emit('close', true));
    },
  });
}
