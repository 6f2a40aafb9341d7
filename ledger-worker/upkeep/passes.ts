/**
 * Passes over all accounts in the background. Each worker checks every few seconds whether a pass is due, and one of them makes it. A pass
 * runs one statement at a time, so that a node that hangs takes one connection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { NIL_UUID } from '../../proto/domain.ts';
import { loggable } from '../database/errors.ts';
import type { Nodes } from '../database/nodes.ts';

/** Its `sql` is of a node that responds: it is read for each statement. */
export type Database = Pick<Nodes, 'sql'>;

const CHECK_EVERY_MS = 5_000;

/**
 * Starts the checks. Of failures in succession the first one is logged.
 * @param makeDuePass makes a pass if one is due
 * @returns a function that stops them
 */
export function startPasses(
  name: string,
  makeDuePass: (signal: AbortSignal) => Promise<void>,
  log: Logger,
): () => Promise<void> {
  const stop = new AbortController();
  let isFailing = false;
  const loop = async () => {
    while (!stop.signal.aborted) {
      await sleep(CHECK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {});
      try {
        if (!stop.signal.aborted) await makeDuePass(stop.signal);
        if (isFailing) log.info(`${name} works again`);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: loggable(error) }, `${name} failed`);
        isFailing = true;
      }
    }
  };
  const stopped = loop();
  return () => {
    stop.abort();
    return stopped;
  };
}

/** The ids of all accounts, ascending, until the signal. @param atOnce ids in each statement and each result */
export async function* accounts(
  database: Database,
  atOnce: number,
  signal: AbortSignal,
): AsyncGenerator<string[], void> {
  let after: string | undefined = NIL_UUID;
  while (after !== undefined && !signal.aborted) {
    const rows: { id: string }[] = await database.sql`
      select account_id as id from ledger.account where account_id > ${after} order by account_id limit ${atOnce}`;
    yield rows.map(({ id }) => id);
    after = rows.at(-1)?.id;
  }
}
