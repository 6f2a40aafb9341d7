/** The same work for every side: over HTTP, and as the bare statement in a session of Postgres. */
import type { Account, Keyring } from './accounts.ts';
import type { Books } from './books.ts';
import { httpLine } from './http-load.ts';
import type { Request } from './line.ts';
import { postgresLine, type Statements } from './postgres-load.ts';
import { lineSide, type Side } from './side.ts';
import type { Stack } from './stack.ts';

/** What every workload is measured on. */
export interface Bench {
  stack: Stack;
  accounts: readonly Keyring[];
  service: Books;
  reference: Books;
}

export interface Work {
  /** Made once for each side: whose turn is next. */
  turns(): () => Account;
  overHttp(account: Account, books: Books): Request;
  statements: Statements;
  bare(account: Account): Request;
}

export const BARE = 'bare call';

/** The service, what its database can do at most, and the reference. */
export function sidesOf({ service, reference }: Bench, work: Work): Side[] {
  return [httpSide(service, work), bareSide(service, work), httpSide(reference, work)];
}

export function httpSide(books: Books, { turns, overHttp }: Pick<Work, 'turns' | 'overHttp'>): Side {
  const next = turns();
  return lineSide({
    name: books.name,
    connect: () => httpLine(books.url),
    render: (count) => Array.from({ length: count }, () => overHttp(next(), books)),
  });
}

function bareSide({ databaseUrl }: Books, { turns, statements, bare }: Omit<Work, 'overHttp'>): Side {
  const next = turns();
  return lineSide({
    name: BARE,
    connect: () => postgresLine(databaseUrl, statements),
    render: (count) => Array.from({ length: count }, () => bare(next())),
  });
}
