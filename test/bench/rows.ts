/** The rows: what clients do. */
import { LAST_MONTH, LAST_QUARTER, newEntries } from './entries.ts';
import type { Request } from './load.ts';
import { DAY_PAGE, dayOf, pageRequest, postRequest } from './requests.ts';
import { type Accounts, type Caller, rotation } from './target.ts';

export interface Row {
  name: string;
  clients: number;
  by: keyof Accounts;
  /** Returns the function that renders the next request. */
  requests(accounts: Caller[][]): () => Request;
}

/** @param lastDays all dates are of the last days, as those of most entries that are pushed; absent: of two years */
const post = (entries: number, clients: number, lastDays?: number): Row => ({
  name: lastDays === undefined ? `POST ${entries}` : `NEW ${entries}`,
  clients,
  by: 'writers',
  requests(accounts) {
    const next = rotation(accounts);
    return () => postRequest(next(), newEntries(entries, lastDays), '201');
  },
});

const page = (clients: number): Row => ({
  name: `GET ${DAY_PAGE}`,
  clients,
  by: 'readers',
  requests(accounts) {
    const next = rotation(accounts);
    return () => pageRequest(next(), DAY_PAGE);
  },
});

const mixedDay: Row = {
  name: 'mixed day',
  clients: 32,
  by: 'readers',
  requests: (accounts) => dayOf(rotation(accounts)),
};

const posts = [post(1, 1), post(1, 8), post(1, 32)];

export const ROWS: Row[] = [...posts, post(1, 128), post(500, 1), post(500, 8), page(32), mixedDay];

/** Of a database with few entries and one with many: new ones beside the newest of an account, and any of two years. */
export const GROWTH_ROWS: Row[] = [
  post(1, 32, LAST_MONTH),
  post(500, 8, LAST_QUARTER),
  page(32),
  post(1, 32),
  post(500, 8),
];

export const CITUS_ROWS: Row[] = [...posts, post(500, 8), page(1), page(32)];

/** With a distant Postgres or Redis. */
export const DISTANCE_ROWS: Row[] = [post(1, 1), post(1, 16), post(500, 1), page(1)];
