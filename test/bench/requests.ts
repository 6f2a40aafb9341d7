/** The requests of the clients: a POST of entries, a page, and /me. */

import type { Request } from './connection.ts';
import type { NewEntry } from './entries.ts';
import { httpRequest } from './http-load.ts';
import type { Caller } from './target.ts';

export function postRequest(
  { key, sourceId }: Caller,
  entries: readonly NewEntry[],
  expected: string,
): Request {
  const body = JSON.stringify(entries.length === 1 ? entries[0] : entries);
  const path = `/api/v1/sources/${sourceId}/transactions`;
  return httpRequest({ method: 'POST', path, key, body }, expected, entries.length);
}

/** The first page. */
export function pageRequest({ key, sourceId }: Caller, limit: number): Request {
  const path = `/api/v1/sources/${sourceId}/transactions?limit=${limit}`;
  return httpRequest({ method: 'GET', path, key }, '200', 0);
}

export function meRequest({ key }: { key: string }): Request {
  return httpRequest({ method: 'GET', path: '/api/v1/me', key }, '200', 0);
}

/** 70 % reads, 25 % single entries, 5 % batches. */
const DAY = 'rrrsrrrsrrsrrrsrrsrb';
const DAY_BATCH = 100;
export const DAY_PAGE = 50;

/** The kinds of the requests of a day, one after the other. */
export function dayCycle(): () => 'read' | number {
  let next = 0;
  return () => {
    const kind = DAY[next++ % DAY.length];
    return kind === 'r' ? 'read' : kind === 'b' ? DAY_BATCH : 1;
  };
}
