/** What every error of the API looks like, whatever went wrong. */
import { expect } from 'bun:test';
import type { Answer } from './client.ts';

export interface ExpectedError {
  status: number;
  /** Members of `error` beside code and message. */
  fields?: Record<string, unknown>;
  /** Of the headers that belong to some errors only, those that come with this one. */
  headers?: Record<string, RegExp>;
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const CHALLENGE = { 'www-authenticate': /^Bearer$/ };
export const RETRY_AFTER = { 'retry-after': /^[1-9]\d*$/ };
const SPECIAL_HEADERS = ['www-authenticate', 'retry-after', 'allow'];

// What no message may show: code, places in it, parts of the house and their words.
const INTERNALS =
  /\bat .+:\d+|\.(ts|js|sql|lua)\b|node_modules|stack|exception|postgres|sqlstate|redis|grpc|\brpc\b|worker|ledger\.|undefined|\[object|ECONN|127\.0\.0\.1|localhost|UNAVAILABLE|UNIMPLEMENTED|DEADLINE/i;

export function expectError(
  answer: Answer,
  code: string,
  { fields = {}, headers = {}, status }: ExpectedError,
) {
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ error: { code, message: expect.any(String), ...fields } });
  expect(answer.body.error.message.length).toBeWithin(10, 400);
  expect(answer.body.error.message).not.toMatch(INTERNALS);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  for (const name of SPECIAL_HEADERS) {
    const value = answer.headers.get(name);
    const expected = headers[name];
    if (expected) expect([name, value]).toEqual([name, expect.stringMatching(expected)]);
    else expect([name, value]).toEqual([name, null]);
  }
}
