/** One work in two forms: as an HTTP request, and as the bare statement in a Postgres session. */
import type { Account, Keyring } from './accounts.ts';
import type { Books } from './books.ts';
import type { Request } from './connection.ts';
import { httpConnection } from './http-load.ts';
import { postgresConnection, type Statements } from './postgres-load.ts';
import { closedLoopSide, type Side } from './side.ts';
import type { Stack } from './stack.ts';

/** The servers and accounts of all workloads. */
export interface Bench {
  stack: Stack;
  accounts: readonly Keyring[];
  service: Books;
  bareStack: Books;
  reference: Books;
}

export interface Work {
  /** Called once per side. The result returns the account of the next request. */
  newPicker(): () => Account;
  overHttp(account: Account, books: Books): Request;
  statements: Statements;
  bare(account: Account): Request;
}

export const BARE = 'bare call';

/** The service, the bare stack, the bare database, and the reference. */
export function sidesOf({ service, bareStack, reference }: Bench, work: Work): Side[] {
  return [
    httpSide(service, work),
    httpSide(bareStack, work),
    bareSide(service, work),
    httpSide(reference, work),
  ];
}

export function httpSide(books: Books, { newPicker, overHttp }: Pick<Work, 'newPicker' | 'overHttp'>): Side {
  const next = newPicker();
  return closedLoopSide({
    name: books.name,
    connect: () => httpConnection(books.url),
    render: (count) => Array.from({ length: count }, () => overHttp(books.accountOf(next()), books)),
  });
}

function bareSide({ databaseUrl }: Books, { newPicker, statements, bare }: Omit<Work, 'overHttp'>): Side {
  const next = newPicker();
  return closedLoopSide({
    name: BARE,
    connect: () => postgresConnection(databaseUrl, statements),
    render: (count) => Array.from({ length: count }, () => bare(next())),
  });
}
