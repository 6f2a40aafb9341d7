/** A response without what differs from one request to the next, so that two can be compared. */
import type { ApiResponse } from '../fixtures/client.ts';

const VOLATILE = ['date', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit'];

/** @param id the id in the request, which the response may repeat: replaced by "the id" */
export function comparable({ status, headers, body }: ApiResponse, id?: string): object {
  const fixed = [...headers].filter(([name]) => !VOLATILE.includes(name)).sort();
  const whole = { status, headers: fixed, body };
  return id === undefined ? whole : JSON.parse(JSON.stringify(whole).replaceAll(id, 'the id'));
}
