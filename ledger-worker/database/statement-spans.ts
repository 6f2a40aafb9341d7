/** What is told of a statement: in the metrics, and in the traces of all who share it. */
import type { CallContext } from '../../proto/client.ts';
import type { Metrics } from '../metrics.ts';

/** Who shares a statement. */
type Asked = readonly { call: CallContext }[];

/**
 * Does `work`, a statement for all that `asked`, and tells how it went. In a trace, the time that was waited for it is a
 * span of its own before that of the statement.
 */
export function observe<Rows>(
  metrics: Metrics,
  statement: string,
  asked: Asked,
  work: () => Promise<Rows>,
): Promise<Rows> {
  for (const { call } of asked) call.span?.waited('group wait');
  return metrics.statement(statement, asked.length, () => traced(statement, asked, work));
}

/**
 * Does `work`, a statement for all that `asked`. In the trace of each who is sampled it is a span beneath that of the
 * question. Of those who share it, the first links to all others, and they link to it.
 */
export async function traced<Rows>(
  statement: string,
  asked: Asked,
  work: () => Promise<Rows>,
): Promise<Rows> {
  if (!asked.some(({ call }) => call.span)) return work();
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': 'SELECT',
    'db.query.summary': statement,
    'ledger.group.size': asked.length,
  };
  const spans = asked.flatMap(({ call }) => call.span?.child(statement, attributes) ?? []);
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
    for (const span of spans) span.fail(typeOf(error));
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

/** The SQLSTATE, or the code of a failed connection. Not the message: it may have a value in it. */
function typeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(typeof code === 'string' ? code : name);
}
