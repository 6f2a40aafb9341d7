/** Reports a statement that several requests share: in the metrics, and in the trace of each request. */
import type { Span } from '../../platform/tracing.ts';

/** Called for each statement. */
export interface StatementObserver {
  /** @param requests how many share the statement. @param seconds include the wait for a connection, and retries */
  statementFinished(name: string, requests: number, outcome: 'ok' | 'failed', seconds: number): void;
}

type Requests = readonly { call: { span?: Span | undefined } }[];

/** Runs `work`, a statement for all `requests`. Their traces show the wait before the statement as a span of its own. */
export async function observed<Rows>(
  observer: StatementObserver,
  name: string,
  requests: Requests,
  work: () => Promise<Rows>,
): Promise<Rows> {
  for (const { call } of requests) call.span?.recordWait('group wait');
  const startedAt = performance.now();
  const finish = (outcome: 'ok' | 'failed') =>
    observer.statementFinished(name, requests.length, outcome, (performance.now() - startedAt) / 1000);
  try {
    const rows = await traced(name, requests, work);
    finish('ok');
    return rows;
  } catch (error) {
    finish('failed');
    throw error;
  }
}

/**
 * Runs `work`, a statement for all `requests`. Each sampled request gets a span for it. The first of these spans and the others
 * link to each other.
 */
export async function traced<Rows>(
  name: string,
  requests: Requests,
  work: () => Promise<Rows>,
): Promise<Rows> {
  if (!requests.some(({ call }) => call.span)) return work();
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': 'SELECT',
    'db.query.summary': name,
    'ledger.group.size': requests.length,
  };
  const spans = requests.flatMap(({ call }) => call.span?.child(name, attributes) ?? []);
  const [first, ...others] = spans;
  if (first) {
    for (const other of others) {
      first.link(other);
      other.link(first);
    }
  }
  try {
    return await work();
  } catch (error) {
    for (const span of spans) span.fail(errorType(error));
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

/** The SQLSTATE, or the code of a failed connection. Not the message, which may hold a value. */
function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(typeof code === 'string' ? code : name);
}
