/** The requests of the clients: a POST of entries, a page, and /me. */
import { type NewEntry, newEntries } from './entries.ts';
import type { Request } from './load.ts';
import type { Caller } from './target.ts';

/** @param body absent: a GET */
export function httpRequest(path: string, key: string, expected: string, body?: string): Request {
  const head = `HTTP/1.1\r\nHost: ledger\r\nAuthorization: Bearer ${key}\r\n`;
  const text =
    body === undefined
      ? `GET ${path} ${head}\r\n`
      : `POST ${path} ${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  return { bytes: Buffer.from(text), expected };
}

const pathOf = ({ sourceId }: Caller) => `/api/v1/sources/${sourceId}/transactions`;

export function postRequest(caller: Caller, entries: readonly NewEntry[], expected: string): Request {
  const body = JSON.stringify(entries.length === 1 ? entries[0] : entries);
  return httpRequest(pathOf(caller), caller.key, expected, body);
}

export const pageRequest = (caller: Caller, limit: number) =>
  httpRequest(`${pathOf(caller)}?limit=${limit}`, caller.key, '200');

export const meRequest = ({ key }: Caller) => httpRequest('/api/v1/me', key, '200');

/** 70 % reads, 25 % single entries, 5 % batches. */
const DAY = 'rrrsrrrsrrsrrrsrrsrb';
const DAY_BATCH = 100;
export const DAY_PAGE = 50;

/** The requests of a day, one after the other. @param lastDays as in `newEntries` */
export function dayOf(next: () => Caller, lastDays?: number): () => Request {
  let n = 0;
  return () => {
    const kind = DAY[n++ % DAY.length];
    if (kind === 'r') return pageRequest(next(), DAY_PAGE);
    return postRequest(next(), newEntries(kind === 'b' ? DAY_BATCH : 1, lastDays), '201');
  };
}
