/** The health of both services, by the gRPC health protocol: each serves while the database does, which is checked once a second. */
import { type Server, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import { HealthImplementation, service as healthService } from 'grpc-health-check';
import type { Logger } from 'pino';
import { DATABASE_TIME_METADATA, type DatabaseTime } from '../../proto/contract.ts';

const CHECK_EVERY_MS = 1_000;
const CHECK_EVERY_MS_WHILE_UNAVAILABLE = 200;

export interface CheckedDatabase {
  /** Takes at most a second. */
  check(): Promise<boolean>;
  reasons(): string;
  times(): DatabaseTime[];
}

export interface HealthObserver {
  databaseChecked(isUp: boolean): void;
}

/** Starts the checks. The database has been checked before. */
export function startHealth(
  database: CheckedDatabase,
  { observer, log }: { observer: HealthObserver; log: Logger },
) {
  const reports: ((isServing: boolean) => void)[] = [];
  let isUp = true;
  let isDraining = false;
  observer.databaseChecked(true);
  const check = async () => {
    const isServing = await database.check();
    if (isDraining) return;
    if (isServing && !isUp) log.warn('the database is back');
    if (!isServing && isUp) log.warn({ reason: database.reasons() }, 'the database is unavailable');
    isUp = isServing;
    observer.databaseChecked(isServing);
    for (const report of reports) report(isServing);
    nextCheck = setTimeout(check, isServing ? CHECK_EVERY_MS : CHECK_EVERY_MS_WHILE_UNAVAILABLE);
  };
  let nextCheck = setTimeout(check, CHECK_EVERY_MS);

  return {
    /** Adds the protocol to the server of a service. */
    addTo(server: Server, service: string) {
      const names = ['', service];
      const health = new HealthImplementation({ '': 'SERVING', [service]: 'SERVING' });
      health.addToServer(server);
      reports.push((isServing) => {
        for (const name of names) health.setStatus(name, isServing ? 'SERVING' : 'NOT_SERVING');
      });
    },
    /** By the last check. While it is false, requests are refused at once. */
    isDatabaseUp: () => isUp,
    /** Ends the checks. From now on no service serves. */
    drain() {
      isDraining = true;
      clearTimeout(nextCheck);
      for (const report of reports) report(false);
    },
  };
}

/** Adds the times of the database to the responses of health checks. */
export const reportTimes =
  (times: () => DatabaseTime[]): ServerInterceptor =>
  ({ path }, call) =>
    new ServerInterceptingCall(call, {
      sendMetadata(metadata, send) {
        if (path === healthService.Check?.path) {
          for (const { earliestMs, latestMs } of times())
            metadata.add(DATABASE_TIME_METADATA, `${earliestMs} ${latestMs}`);
        }
        send(metadata);
      },
    });
