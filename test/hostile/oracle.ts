/** The oracle: rules that every response must keep, whatever the request. */
import { gunzipSync } from 'node:zlib';
import { ERRORS, type ErrorCode } from '../../gateway/api/errors.ts';
import { UUID } from '../fixtures/expect-error.ts';
import type { Hostile, Outcome } from './request.ts';
import type { Exchange, WireResponse } from './wire.ts';

/** Longer than any response may take, also on a busy machine. */
export const RESPONSE_MS_MAX = 30_000;

// Bun's own responses, without a body, to what never reaches a route: malformed requests, too large heads, unknown versions.
const BUN_ERRORS = [400, 431, 505];

// Stack traces, files, SQL and SQLSTATEs, class names, names of components, keys.
const INTERNALS =
  /\bat [\w.<>]+ \(|\.(ts|js|sql|lua):\d|node_modules|\/(work|root|home|usr|tmp)\/|\b(select|insert|update) .*\b(from|into|set) |sqlstate|postgres|redis|grpc|elysia|typebox|[a-z]Error\b|ledger\.(entry|account|source|api_key)|ECONN|EPIPE|127\.0\.0\.1|_live_[0-9A-Za-z]/i;

/**
 * Checks the responses to `hostile` against the rules.
 * @param allowed the allowed outcomes; undefined: any
 * @param isForeign whether a text contains data of another account
 * @returns a description of the first error
 */
export function verdict(
  hostile: Hostile,
  { responses, ended, rest }: Exchange,
  allowed: readonly Outcome[] | undefined,
  isForeign: (text: string) => boolean,
): string | undefined {
  if (ended === 'timeout' && !(hostile.kind === 'raw' && hostile.isAbandoned)) return 'no response in time';
  if (rest.length > 0) return 'bytes after the last expected response';
  const mayBeRejectedByBun = hostile.kind === 'raw' || hostile.beyondBun === true;
  if (responses.length === 0 && !mayBeRejectedByBun) return 'the connection was closed without a response';
  for (const response of responses) {
    if (isForeign(decoded(response).toString())) return "another account's books in the response";
    if (hostile.kind === 'raw' && hostile.mayCreate === 0 && response.status === 201)
      return 'an entry was created';
    if (mayBeRejectedByBun && isFromBun(response)) continue;
    const wrong = errorOf(response, hostile);
    if (wrong !== undefined) return wrong;
    const outcome = outcomeOf(response);
    if (allowed && outcome && !allowed.includes(outcome))
      return `${outcome} instead of ${allowed.join(' or ')}`;
  }
  return undefined;
}

/** Undefined for an error response to HEAD, which has no body. */
export function outcomeOf({ status, body }: WireResponse): Outcome | undefined {
  if (status < 400) return 'success';
  return body.length === 0 ? undefined : codeOf(body);
}

function isFromBun({ status, headers, body }: WireResponse): boolean {
  return BUN_ERRORS.includes(status) && body.length === 0 && headers.get('connection') === 'close';
}

function errorOf(response: WireResponse, hostile: Hostile): string | undefined {
  const { status, headers, body, raw } = response;
  if (!(status >= 200 && status < 500)) return `status ${status}: ${body}`;
  const head = raw.toString('latin1', 0, raw.length - body.length);
  if (INTERNALS.test(head)) return 'internals in the head of the response';
  const id = headers.get('x-request-id') ?? '';
  if (!UUID.test(id) && !isSent(id, hostile))
    return 'an X-Request-Id that is neither new nor the one that was sent';
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const isHead = hostile.kind === 'request' && hostile.method === 'HEAD';
  if (status < 400)
    return isJson && !isHead && parsed(decoded(response)) === undefined
      ? 'a body that is not JSON'
      : undefined;

  if (INTERNALS.test(body.toString())) return 'internals in an error';
  if (isHead) return undefined;
  const code = codeOf(body);
  if (!isJson || code === undefined) return 'an error without the Error shape';
  return ERRORS[code] === status ? undefined : `status ${status} for ${code}`;
}

/** The response to HEAD has the header, and no body. */
const decoded = ({ headers, body }: WireResponse) =>
  headers.get('content-encoding') === 'gzip' && body.length > 0 ? gunzipSync(body) : body;

/** The code of an error, if the error has the Error shape and a known code. */
function codeOf(body: Buffer): ErrorCode | undefined {
  const { code, message } = parsed(body)?.error ?? {};
  const known = Object.hasOwn(ERRORS, code) && typeof message === 'string' && message !== '';
  return known ? (code as ErrorCode) : undefined;
}

function parsed(body: Buffer): ReturnType<typeof JSON.parse> | undefined {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function isSent(id: string, hostile: Hostile): boolean {
  if (hostile.kind === 'raw') return hostile.text.includes(id);
  return hostile.headers.some(
    ([name, value]) => name.toLowerCase() === 'x-request-id' && value.trim() === id,
  );
}
