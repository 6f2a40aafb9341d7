/** Reports a statement that several requests share: in the metrics, and in the trace of each request. */
import type { Span } from '../../platform/tracing.ts';

/** Called for each statement. */
export interface StatementObserver {
  /** @param requests how many share the statement. @param seconds include the wait for a connection, and retries */
  statementFinished(name: string, requests: number, outcome: 'ok' | 'failed', seconds: number): void;
}

type Requests = readonly { context: { span?: Span | undefined } }[];

/**
 * Runs `work`, a statement for all `requests`. Each sampled request gets a span for the wait before the statement, and one for the
 * statement.
 */
export async function observeStatement<Rows>(
  observer: StatementObserver,
  name: string,
  requests: Requests,
  work: () => Promise<Rows>,
): Promise<Rows> {
  const startedAt = performance.now();
  const spans = startSpans(name, requests);
  const finish = (outcome: 'ok' | 'failed') => {
    observer.statementFinished(name, requests.length, outcome, (performance.now() - startedAt) / 1000);
    for (const span of spans) span.end();
  };
  try {
    const rows = await work();
    finish('ok');
    return rows;
  } catch (error) {
    for (const span of spans) span.fail(errorType(error));
    finish('failed');
    throw error;
  }
}

function startSpans(name: string, requests: Requests): Span[] {
  return requests.flatMap(({ context: { span } }) => {
    span?.recordWait('group wait');
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.query.summary': name,
      'ledger.group.size': requests.length,
    };
    return span?.child(name, attributes) ?? [];
  });
}

/** The SQLSTATE, or the code of a failed connection. Not the message, which may hold a value. */
function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(typeof code === 'string' ? code : name);
}
