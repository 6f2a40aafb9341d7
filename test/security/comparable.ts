/** A response without what differs from one request to the next, so that two can be compared. */
import type { ApiResponse, Json } from '../fixtures/client.ts';

const VOLATILE = ['date', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit'];

export interface ComparableResponse {
  status: number;
  headers: [name: string, value: string][];
  body: Json;
}

/** @param id the id in the request, which the response may repeat: replaced by "the id" */
export function comparable({ status, headers, body }: ApiResponse, id?: string): ComparableResponse {
  const fixed = [...headers].filter(([name]) => !VOLATILE.includes(name)).sort();
  const whole = { status, headers: fixed, body };
  return id === undefined ? whole : JSON.parse(JSON.stringify(whole).replaceAll(id, 'the id'));
}
