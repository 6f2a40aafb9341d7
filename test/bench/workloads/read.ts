/** GET of pages and of /me, and a mix of reads and writes, on books in which some accounts have many entries. */
import { READ_ACCOUNTS, rotation } from '../accounts.ts';
import { CREATE } from '../bare-call.ts';
import { AUTHENTICATE, DEEP_PAGE, FIRST_PAGE, FOUND, type Position, pageParameters } from '../bare-read.ts';
import type { Books } from '../books.ts';
import { newEntries } from '../entries.ts';
import { boundCall } from '../postgres-load.ts';
import { DAY_PAGE, dayCycle, meRequest, pagePath, pageRequest, postRequest } from '../requests.ts';
import { type Bench, sidesOf, type Work } from '../work.ts';
import type { Workload } from '../workload.ts';
import { createCall } from './post.ts';

export const ENTRIES_PER_READ_ACCOUNT = 1_000;
// The number of pages of 200 before a deep page.
const PAGES_BEFORE = 2;
const PAGE_BEFORE = 200;

export const readAccounts = ({ accounts }: Pick<Bench, 'accounts'>) => accounts.slice(0, READ_ACCOUNTS);

export function firstPage(bench: Bench, limit: number, clients: number): Workload {
  const sides = () => sidesOf(bench, readingFirst(bench, limit));
  return { group: 'read', name: `GET ${limit}, first page`, clients, prepare: async () => {}, sides };
}

export function readingFirst(bench: Pick<Bench, 'accounts'>, limit: number): Work {
  return {
    newPicker: () => rotation(readAccounts(bench)),
    overHttp: (account) => pageRequest(account, { limit }),
    statements: { first: FIRST_PAGE },
    bare: (account) => boundCall('first', pageParameters(account, limit, undefined), FOUND, 0),
  };
}

/** Deep pages of each of the `limits`, with the same beginnings. */
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
  const { service, bareStack, reference } = bench;
  const endOf = (books: Books, accountId: string) => ends.get(books)?.get(accountId);
  return {
    group: 'read',
    name: `GET ${limit}, after ${PAGES_BEFORE * PAGE_BEFORE}`,
    clients,
    async prepare() {
      for (const books of [service, bareStack, reference]) {
        if (!ends.has(books)) ends.set(books, await deepEnds(books, bench));
      }
    },
    sides: () =>
      sidesOf(bench, {
        newPicker: () => rotation(readAccounts(bench)),
        overHttp: (account, books) =>
          pageRequest(account, { limit, cursor: endOf(books, account.accountId)?.cursor }),
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

/** The beginning of a deep page by account. Each server has its own cursors. */
async function deepEnds({ url, accountOf }: Books, bench: Bench): Promise<Map<string, PageEnd>> {
  const ends = new Map<string, PageEnd>();
  for (const [account] of readAccounts(bench)) {
    const { accountId, sourceId, key } = accountOf(account);
    let cursor: string | undefined;
    for (let page = 0; page < PAGES_BEFORE; page++) {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(url + pagePath(sourceId, { limit: PAGE_BEFORE, cursor }), { headers });
      const { transactions, nextCursor } = (await response.json()) as {
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

export function me(bench: Bench, clients: number): Workload {
  const sides = () =>
    sidesOf(bench, {
      newPicker: () => rotation(bench.accounts),
      overHttp: meRequest,
      statements: { authenticate: AUTHENTICATE },
      bare: ({ keyHash, accountId }) => boundCall('authenticate', [`\\x${keyHash}`], accountId, 0),
    });
  return { group: 'me', name: 'GET /me', clients, prepare: async () => {}, sides };
}

export function mixedDay(bench: Bench, clients: number): Workload {
  const reading = readingFirst(bench, DAY_PAGE);
  const [overHttp, bare] = [dayCycle(), dayCycle()];
  const sides = () =>
    sidesOf(bench, {
      newPicker: reading.newPicker,
      overHttp(account, books) {
        const kind = overHttp();
        return kind === 'read'
          ? reading.overHttp(account, books)
          : postRequest(account, newEntries(kind), '201');
      },
      statements: { ...reading.statements, create: CREATE },
      bare(account) {
        const kind = bare();
        return kind === 'read' ? reading.bare(account) : createCall(account, newEntries(kind));
      },
    });
  return { group: 'mixed', name: 'mixed day', clients, prepare: async () => {}, sides };
}
