/** GET of pages, of /me, and a mixed day: on books in which some accounts have many entries. */
import { type Account, READ_ACCOUNTS, rotation } from '../accounts.ts';
import { CREATE } from '../bare-call.ts';
import { AUTHENTICATE, DEEP_PAGE, FIRST_PAGE, FOUND, type Position, pageParameters } from '../bare-read.ts';
import type { Books } from '../books.ts';
import { newEntries } from '../entries.ts';
import { httpRequest } from '../http-load.ts';
import type { Request } from '../line.ts';
import { boundCall } from '../postgres-load.ts';
import { type Bench, sidesOf, type Work } from '../work.ts';
import type { Workload } from '../workload.ts';
import { createCall, postRequest } from './post.ts';

/** How many entries each of the read accounts has. */
export const ENTRIES_PER_READ_ACCOUNT = 1_000;
// Pages of 200 that lie before a deep one.
const PAGES_BEFORE = 2;
const HOP = 200;

export const readAccounts = ({ accounts }: Pick<Bench, 'accounts'>) => accounts.slice(0, READ_ACCOUNTS);

export function firstPage(bench: Bench, limit: number, clients: number): Workload {
  const sides = () => sidesOf(bench, readingFirst(bench, limit));
  return { group: 'read', name: `GET ${limit}, first page`, clients, prepare: async () => {}, sides };
}

export function readingFirst(bench: Pick<Bench, 'accounts'>, limit: number): Work {
  return {
    turns: () => rotation(readAccounts(bench)),
    overHttp: ({ key, sourceId }) =>
      httpRequest({ method: 'GET', path: pagePath(sourceId, { limit }), key }, '200', 0),
    statements: { first: FIRST_PAGE },
    bare: (account) => boundCall('first', pageParameters(account, limit, undefined), FOUND, 0),
  };
}

/** Pages of each of the `limits`, which begin at the same places. */
export function deepPages(bench: Bench, limits: readonly number[], clients: number): Workload[] {
  const ends = new Map<Books, Map<string, PageEnd>>();
  return limits.map((limit) => deepPage(bench, limit, clients, ends));
}

function deepPage(
  bench: Bench,
  limit: number,
  clients: number,
  ends: Map<Books, Map<string, PageEnd>>,
): Workload {
  const { service, reference } = bench;
  const endOf = (books: Books, accountId: string) => ends.get(books)?.get(accountId);
  return {
    group: 'read',
    name: `GET ${limit}, after ${PAGES_BEFORE * HOP}`,
    clients,
    async prepare() {
      for (const books of [service, reference]) {
        if (!ends.has(books)) ends.set(books, await deepEnds(books, bench));
      }
    },
    sides: () =>
      sidesOf(bench, {
        turns: () => rotation(readAccounts(bench)),
        overHttp({ key, sourceId, accountId }, books) {
          const { cursor } = endOf(books, accountId) ?? {};
          return httpRequest({ method: 'GET', path: pagePath(sourceId, { limit, cursor }), key }, '200', 0);
        },
        statements: { deep: DEEP_PAGE },
        bare: (account) =>
          boundCall(
            'deep',
            pageParameters(account, limit, endOf(service, account.accountId)?.last),
            FOUND,
            0,
          ),
      }),
  };
}

interface PageEnd {
  cursor: string;
  last: Position;
}

/** By account, where a deep page begins: each server has cursors of its own. */
async function deepEnds({ url }: Books, bench: Bench): Promise<Map<string, PageEnd>> {
  const ends = new Map<string, PageEnd>();
  for (const [{ accountId, sourceId, key }] of readAccounts(bench)) {
    let cursor: string | undefined;
    for (let page = 0; page < PAGES_BEFORE; page++) {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(url + pagePath(sourceId, { limit: HOP, cursor }), { headers });
      const { transactions, nextCursor } = (await answer.json()) as {
        transactions: Position[];
        nextCursor: string;
      };
      cursor = nextCursor;
      const { date, id } = transactions.at(-1) as Position;
      ends.set(accountId, { cursor, last: { date, id } });
    }
  }
  return ends;
}

function pagePath(sourceId: string, query: { limit: number; cursor?: string | undefined }): string {
  const cursor = query.cursor === undefined ? '' : `&cursor=${query.cursor}`;
  return `/api/v1/sources/${sourceId}/transactions?limit=${query.limit}${cursor}`;
}

export function me(bench: Bench, clients: number): Workload {
  const sides = () =>
    sidesOf(bench, {
      turns: () => rotation(bench.accounts),
      overHttp: meRequest,
      statements: { authenticate: AUTHENTICATE },
      bare: ({ keyHash, accountId }) => boundCall('authenticate', [`\\x${keyHash}`], accountId, 0),
    });
  return { group: 'me', name: 'GET /me', clients, prepare: async () => {}, sides };
}

export function meRequest({ key }: Account): Request {
  return httpRequest({ method: 'GET', path: '/api/v1/me', key }, '200', 0);
}

// 70 % reads, 25 % singles, 5 % batches, evenly dealt.
const DAY = 'rrrsrrrsrrsrrrsrrsrb';
const BATCH = 100;
const PAGE = 50;

export function mixedDay(bench: Bench, clients: number): Workload {
  const reading = readingFirst(bench, PAGE);
  const deal = () => {
    let next = 0;
    return () => DAY[next++ % DAY.length];
  };
  const [overHttp, bare] = [deal(), deal()];
  const newOnes = (kind: string | undefined) => newEntries(kind === 'b' ? BATCH : 1);
  const sides = () =>
    sidesOf(bench, {
      turns: reading.turns,
      overHttp(account, books) {
        const kind = overHttp();
        return kind === 'r' ? reading.overHttp(account, books) : postRequest(account, newOnes(kind), '201');
      },
      statements: { ...reading.statements, create: CREATE },
      bare(account) {
        const kind = bare();
        return kind === 'r' ? reading.bare(account) : createCall(account, newOnes(kind));
      },
    });
  return { group: 'mixed', name: 'mixed day', clients, prepare: async () => {}, sides };
}
