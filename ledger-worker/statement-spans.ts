/** The spans of a statement, which belongs to the traces of all who share it. */
import type { CallContext } from '../proto/ledger.ts';

/**
 * Does `work`, a statement for all that `asked`. In the trace of each who is sampled it is a span beneath that of the
 * question, after one for the time that was waited for it. Of those who share it, the first links to all others, and they
 * link to it.
 * @param statement as the metrics name it
 */
export async function traced<Rows>(
  statement: string,
  asked: readonly { call: CallContext }[],
  work: () => Promise<Rows>,
): Promise<Rows> {
  if (!asked.some(({ call }) => call.span)) return work();
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': 'SELECT',
    'db.query.summary': statement,
    'ledger.group.size': asked.length,
  };
  const spans = asked.flatMap(({ call: { span } }) => {
    span?.waited('group wait');
    return span?.child(statement, attributes) ?? [];
  });
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
