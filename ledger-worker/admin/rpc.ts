/** The common parts of the Admin service's RPCs. Each RPC validates its request, runs its statements, and returns a message. */
import type { AdminMethodName } from '../../proto/contract.ts';
import type { Sql } from '../database/connection.ts';
import type { AdminHandlers } from '../handler-types.ts';
import { notFound } from '../status.ts';

export type AdminRpcs<Names extends AdminMethodName> = {
  [Name in Names]: (
    sql: Sql,
    ...parameters: Parameters<AdminHandlers[Name]>
  ) => ReturnType<AdminHandlers[Name]>;
};

/** The id of a new account, source, key or action: ids ascend with time. */
export const newId = () => Bun.randomUUIDv7();

/** A row as a message, which omits the fields that are null in the row, and has times as RFC 3339. */
export function message<Message>(row: object): Message {
  const given = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as Message;
}

/** The message of a statement's only row. @throws StatusError NOT_FOUND */
export function requireRow<Message>([row]: readonly object[], what: string, id: string): Message {
  if (row === undefined) throw notFound(`no ${what} ${id}`);
  return message(row);
}

/** @param rows one more than `limit` if there are more. @returns `last` only if there are more */
export function pageOf<Row>(rows: readonly Row[], limit: number): { shown: Row[]; last: Row | undefined } {
  const shown = rows.slice(0, limit);
  return { shown, last: rows.length > limit ? shown.at(-1) : undefined };
}
