/** Listens over HTTP, or over HTTPS with a certificate that can be replaced at run time. */
import type { AnyElysia } from 'elysia';
import type { Logger } from 'pino';
import type { FollowedCertificates } from '../../platform/certificates.ts';
import { bindError } from '../../platform/remedies.ts';

interface ListenOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  /** Absent: plain HTTP. */
  certificates: FollowedCertificates | undefined;
}

interface Listener {
  /** `http://host:port` or `https://host:port`, as bound. */
  url: string;
  /** Accepts no new connections. Resolves when the requests in flight have their responses. */
  stop(): Promise<void>;
}

/** @throws Error with one sentence when the address cannot be used */
export async function listen(
  app: AnyElysia,
  { hostname, port, certificates }: ListenOptions,
  log: Logger,
): Promise<Listener> {
  // By default two gateways could share a port unnoticed.
  const first = await openFirst(app, hostname, port);
  if (!certificates) return { url: first.url.origin, stop: () => first.stop() };

  // A server keeps its certificate. When the files change, a second server takes over the port, which is possible only with
  // reusePort on both.
  const address = { hostname, port: first.port as number, reusePort: true };
  first.stop();
  let server = open(app, { ...address, tls: tlsOptions(certificates) });
  const replacedServers = new Set<Server>();
  let isStopped = false;
  certificates.onReplaced(() => {
    if (isStopped) return;
    const replaced = server;
    try {
      server = open(app, { ...address, tls: tlsOptions(certificates) });
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'the new certificate is not served before a restart');
      return;
    }
    // Completes the requests in flight, and closes idle connections.
    replacedServers.add(replaced);
    replaced.stop().finally(() => replacedServers.delete(replaced));
  });
  return {
    url: server.url.origin,
    stop: async () => {
      isStopped = true;
      // The replaced ones again: connections that were in use may be idle by now.
      await Promise.all([server, ...replacedServers].map((each) => each.stop()));
    },
  };
}

async function openFirst(app: AnyElysia, hostname: string, port: number) {
  try {
    return open(app, { hostname, port, reusePort: false });
  } catch (error) {
    throw await bindError('HOST and PORT', `${hostname}:${port}`, error);
  }
}

type Server = NonNullable<AnyElysia['server']>;
type ServeOptions = Exclude<Parameters<AnyElysia['listen']>[0], string | number>;

function open(app: AnyElysia, options: ServeOptions) {
  const before = process.listeners('beforeExit');
  app.listen(options);
  // Elysia adds a listener per server that stops it at exit. Here stop() does that.
  for (const listener of process.listeners('beforeExit')) {
    if (!before.includes(listener)) process.off('beforeExit', listener);
  }
  if (!app.server) throw new Error('the server did not start');
  return app.server;
}

/** Bun accepts TLS 1.2 and 1.3 only. */
function tlsOptions(certificates: FollowedCertificates) {
  const { cert, key } = certificates.latest();
  return { cert: cert.toString(), key: key.toString() };
}
