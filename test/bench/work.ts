/** What the clients of a workload send, and to which servers. */
import type { Account, Keyring } from './accounts.ts';
import type { Books } from './books.ts';
import type { Request } from './connection.ts';
import { httpConnection } from './http-load.ts';
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
  request(account: Account): Request;
}

/** The service, the bare stack, and the reference. */
export function sidesOf({ service, bareStack, reference }: Bench, work: Work): Side[] {
  return [service, bareStack, reference].map((books) => httpSide(books, work));
}

export function httpSide(books: Books, { newPicker, request }: Work): Side {
  const next = newPicker();
  return closedLoopSide({
    name: books.name,
    connect: () => httpConnection(books.url),
    render: (count) => Array.from({ length: count }, () => request(books.accountOf(next()))),
  });
}
