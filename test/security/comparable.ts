/** An answer without what differs from one request to the next, so that two can be held against each other. */
import type { ApiResponse, Json } from '../fixtures/client.ts';

const VOLATILE = ['date', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit'];

export interface ComparableResponse {
  status: number;
  headers: [name: string, value: string][];
  body: Json;
}

/** @param id what the request named, which the answer may repeat: "the id" takes its place */
export function comparable({ status, headers, body }: ApiResponse, id?: string): ComparableResponse {
  const fixed = [...headers].filter(([name]) => !VOLATILE.includes(name)).sort();
  const whole = { status, headers: fixed, body };
  return id === undefined ? whole : JSON.parse(JSON.stringify(whole).replaceAll(id, 'the id'));
}
