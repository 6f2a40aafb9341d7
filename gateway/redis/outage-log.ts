/** What the log says of a server of Redis that is away: the first failure, one in each minute after it, and its return. */
import type { Logger } from 'pino';

const REMINDER_MS = 60_000;

export interface OutageLog {
  failed(server: string, reason: string | undefined): void;
  returned(server: string, message: string): void;
}

export function createOutageLog(log: Logger): OutageLog {
  /** When the log last said that the server is away. */
  const said = new Map<string, number>();
  return {
    failed(server, reason) {
      const now = performance.now();
      if (now - (said.get(server) ?? Number.NEGATIVE_INFINITY) < REMINDER_MS) return;
      said.set(server, now);
      log.warn({ server, reason }, 'redis is unavailable: limits are kept in this process');
    },
    returned(server, message) {
      said.delete(server);
      log.info({ server }, message);
    },
  };
}
