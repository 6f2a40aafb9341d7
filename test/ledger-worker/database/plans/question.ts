/** A question to the worker whose plans are looked at. */
import type { Sql } from '../../../../ledger-worker/database/connection.ts';
import type { AdminClient } from '../../../../proto/client.ts';
import type { TestLedger } from '../../../fixtures/ledger.ts';

export interface Asker {
  ledger: TestLedger;
  admin: AdminClient;
  /** Of its own, for what an account can be asked only once. */
  name: string;
  /** Somebody else's transaction, whose statements are not explained. */
  sql: Sql;
}

export interface Question {
  name: string;
  /** Entries, accounts, sources or keys that it is about: what is read should be in proportion. */
  rows: number;
  /** What the answer must contain, lest another path was taken than the one that is meant. */
  answer: object;
  ask(asker: Asker): Promise<object>;
}

export function question(name: string, rows: number, answer: object, ask: Question['ask']): Question {
  return { name, rows, answer, ask };
}
