/** A request to the worker whose plans are examined. */
import type { Sql } from '../../../../ledger-worker/database/connection.ts';
import type { AdminClient } from '../../../../proto/admin-client.ts';
import { uncapitalize } from '../../../../proto/contract.ts';
import type { TestLedger } from '../../../fixtures/ledger.ts';

export interface Clients {
  ledger: TestLedger;
  admin: AdminClient;
  /** Unique, for requests that an account can make only once. */
  name: string;
  /** A connection whose statements are not explained. */
  sql: Sql;
}

export interface PlannedRequest {
  name: string;
  /** Entries, accounts, sources or keys that it is about: what is read should be in proportion. */
  rows: number;
  /** What the response must contain, so that the request took the intended path. */
  response: object;
  send(clients: Clients): Promise<object>;
}

export const request = (name: string, rows: number, response: object, send: PlannedRequest['send']) => ({
  name,
  rows,
  response,
  send,
});

/** One call of the RPC or method that its name begins with. */
export const call = (
  service: 'ledger' | 'admin',
  name: string,
  rows: number,
  response: object,
  fields: object,
): PlannedRequest =>
  request(name, rows, response, (clients) => {
    const methods = clients[service] as unknown as Record<string, (fields: object) => Promise<object>>;
    return methods[uncapitalize(name.replace(/:.*/, ''))]?.(fields) ?? Promise.reject(new Error(name));
  });
