/** Where the gateway listens: over HTTP, or over HTTPS with the certificate that its files hold. */
import type { AnyElysia } from 'elysia';
import type { Logger } from 'pino';
import type { FollowedCertificates } from '../../platform/certificates.ts';

export interface ListenOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  /** Absent: plain HTTP. */
  certificates: FollowedCertificates | undefined;
}

export interface Listener {
  /** `http://host:port` or `https://host:port`, as bound. */
  url: string;
  /** Takes no new connections, and resolves when what is under way is answered. */
  stop(): Promise<void>;
}

/** @throws Error when the address is taken. */
export function listen(
  app: AnyElysia,
  { hostname, port, certificates }: ListenOptions,
  log: Logger,
): Listener {
  // By default two gateways could share a port without noticing.
  const first = open(app, { hostname, port, reusePort: false });
  if (!certificates) return { url: `http://${hostname}:${first.port}`, stop: () => first.stop() };

  // A server keeps the certificate with which it began. When that is replaced, a second one takes over its port, which is
  // possible only where the first allowed it.
  const address = { hostname, port: first.port as number, reusePort: true };
  first.stop();
  let server = open(app, { ...address, tls: pair(certificates) });
  const former = new Set<Server>();
  let isStopped = false;
  certificates.onReplaced(() => {
    if (isStopped) return;
    const replaced = server;
    try {
      server = open(app, { ...address, tls: pair(certificates) });
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'the new certificate is not served before a restart');
      return;
    }
    // Answers what is under way, and closes connections on which nothing is.
    former.add(replaced);
    replaced.stop().finally(() => former.delete(replaced));
  });
  return {
    url: `https://${hostname}:${address.port}`,
    stop: async () => {
      isStopped = true;
      // The former ones once more: what was under way is idle by now.
      await Promise.all([server, ...former].map((each) => each.stop()));
    },
  };
}

type Server = NonNullable<AnyElysia['server']>;
type ServeOptions = Exclude<Parameters<AnyElysia['listen']>[0], string | number>;

function open(app: AnyElysia, options: ServeOptions) {
  const before = process.listeners('beforeExit');
  app.listen(options);
  // For each server the library adds one, which stops it at the end: stop() does.
  for (const listener of process.listeners('beforeExit')) {
    if (!before.includes(listener)) process.off('beforeExit', listener);
  }
  if (!app.server) throw new Error('the server did not start');
  return app.server;
}

/** As Bun has it, which speaks TLS 1.2 and 1.3 and nothing older. */
function pair(certificates: FollowedCertificates) {
  const { cert, key } = certificates.latest();
  return { cert: cert.toString(), key: key.toString() };
}
