/** TLS to Postgres, as libpq's `sslmode` and `sslrootcert` ask for it: negotiated, and the server's certificate checked. */
import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { checkServerIdentity, connect } from 'node:tls';

export interface DatabaseTls {
  /** Of the server's certificate: nothing, its authority, or its authority and its name. */
  verified: 'nothing' | 'authority' | 'name';
  /** The file of the authorities that are trusted; absent: those that this machine trusts. */
  rootFile: string | undefined;
}

const MODES: Record<string, DatabaseTls['verified'] | undefined> = {
  require: 'nothing',
  'verify-ca': 'authority',
  'verify-full': 'name',
};

/**
 * What an address asks for. Undefined: no TLS.
 * @throws TypeError when it asks for what there is not: nothing is left out in silence that should protect.
 */
export function tlsOf(address: URL): DatabaseTls | undefined {
  const { searchParams } = address;
  const unknown = [...searchParams.keys()].filter((name) => name.startsWith('ssl') && !KNOWN.includes(name));
  if (unknown.length > 0) throw new TypeError(`${unknown.join(', ')} cannot be asked for`);
  const mode = searchParams.get('sslmode') ?? 'disable';
  if (mode === 'disable') return undefined;
  const verified = MODES[mode];
  if (!verified) throw new TypeError(`sslmode is disable, ${Object.keys(MODES).join(', ')}`);
  const root = searchParams.get('sslrootcert');
  const rootFile = root === null || root === 'system' ? undefined : root;
  // As libpq has it: who names an authority wants it checked.
  return { verified: verified === 'nothing' && rootFile ? 'authority' : verified, rootFile };
}

const KNOWN = ['sslmode', 'sslrootcert'];

/** The same address for a library that knows nothing of it. */
export function withoutTls(address: URL): URL {
  const plain = new URL(address);
  for (const name of KNOWN) plain.searchParams.delete(name);
  return plain;
}

/**
 * A socket on which Postgres is spoken under TLS, made of one that is being connected. When that fails within the time,
 * it is one that fails with the reason at its first use: of a promise that is rejected the library would keep the place
 * in its pool for ever.
 * @param host as the address has it: the name, or the IP address, that the certificate must have
 */
export async function secured(
  socket: Socket,
  host: string,
  tls: DatabaseTls,
  timeoutMs: number,
): Promise<Duplex> {
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no TLS within ${timeoutMs} ms`)), timeoutMs);
  // Also of what comes later: that reaches the library by the socket under TLS.
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the database closed the connection')));
  try {
    await Promise.race([agreement(socket), failure]);
    return await Promise.race([handshake(socket, host, tls), failure]);
  } catch (error) {
    socket.destroy();
    const reason = `no TLS with the database: ${(error as Error).message}`;
    // For the caller it is one more way in which the database is out of reach.
    return failing(Object.assign(new Error(reason), { code: 'ECONNREFUSED' }));
  } finally {
    clearTimeout(timer);
    failure.catch(() => {});
  }
}

// Its length, and the number that stands in the place of a version.
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** The server has one byte to say. What came with it would have been said by somebody who cannot speak TLS. */
async function agreement(socket: Socket): Promise<void> {
  socket.write(SSL_REQUEST);
  const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  if (answer.toString('latin1') !== 'S') throw new Error('the database does not speak TLS');
}

function handshake(socket: Socket, host: string, { verified, rootFile }: DatabaseTls): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = connect({
      socket,
      ...(isIP(host) === 0 && { servername: host }),
      // Read for each connection: a file that is replaced counts from the next one on.
      ...(rootFile !== undefined && { ca: readFileSync(rootFile) }),
      rejectUnauthorized: verified !== 'nothing',
      // Below, by the name in the address.
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

/** A socket that fails with that error at its first use. */
export function failing(error: Error): Duplex {
  return new Duplex({
    read() {},
    write: (_, __, done) => done(error),
    emitClose: false,
    destroy(reason, done) {
      done(reason);
      // With what a socket says after an error: by that the library counts its attempts.
      process.nextTick(() => this.emit('close', true));
    },
  });
}
