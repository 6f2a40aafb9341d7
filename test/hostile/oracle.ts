/** The laws: what no answer may be, whatever was asked. */
import { ERRORS, type ErrorCode } from '../../gateway/api/errors.ts';
import { UUID } from '../fixtures/expect-error.ts';
import type { Hostile, Outcome } from './request.ts';
import type { Exchange, WireAnswer } from './wire.ts';

/** Longer than any answer may take. */
export const ANSWER_MS_MAX = 10_000;

// How Bun answers, without a body, what no route of ours gets to see: bytes that are no request, a head larger than
// its buffer, a version that it does not speak.
const BUN_REFUSALS = [400, 431, 505];

// Stacks, files, SQL and its states, classes, parts of the house, keys.
const INTERNALS =
  /\bat [\w.<>]+ \(|\.(ts|js|sql|lua):\d|node_modules|\/(work|root|home|usr|tmp)\/|\b(select|insert|update) .*\b(from|into|set) |sqlstate|postgres|redis|grpc|elysia|typebox|[a-z]Error\b|ledger\.(entry|account|source|api_key)|ECONN|EPIPE|127\.0\.0\.1|_live_[0-9A-Za-z]/i;

/**
 * Holds what came back for `hostile` against the laws.
 * @param allowed what may become of a request; undefined: anything that breaks no other law
 * @param isForeign whether a text holds something of another account's books
 * @returns what is wrong, in words
 */
export function verdict(
  hostile: Hostile,
  { answers, ended, rest }: Exchange,
  allowed: readonly Outcome[] | undefined,
  isForeign: (text: string) => boolean,
): string | undefined {
  if (ended === 'late' && !(hostile.kind === 'raw' && hostile.hangsUp)) return 'no answer in time';
  if (rest.length > 0) return 'more came back than the answers that were due';
  const refusable = hostile.kind === 'raw' || hostile.beyondBun === true;
  if (answers.length === 0 && !refusable) return 'the connection was closed without an answer';
  for (const answer of answers) {
    if (isForeign(answer.body.toString())) return "another account's books in the answer";
    if (hostile.kind === 'raw' && hostile.mayCreate === 0 && answer.status === 201)
      return 'created something';
    if (refusable && isBunsOwn(answer)) continue;
    const wrong = wrongWith(answer, hostile);
    if (wrong !== undefined) return wrong;
    const outcome = outcomeOf(answer);
    if (allowed && outcome && !allowed.includes(outcome))
      return `${outcome} instead of ${allowed.join(' or ')}`;
  }
  return undefined;
}

/** Undefined for the answer to a HEAD, which does not say. */
export function outcomeOf({ status, body }: WireAnswer): Outcome | undefined {
  if (status < 400) return 'success';
  return body.length === 0 ? undefined : codeOf(body);
}

function isBunsOwn({ status, headers, body }: WireAnswer): boolean {
  return BUN_REFUSALS.includes(status) && body.length === 0 && headers.get('connection') === 'close';
}

function wrongWith(answer: WireAnswer, hostile: Hostile): string | undefined {
  const { status, headers, body, raw } = answer;
  if (!(status >= 200 && status < 500)) return `status ${status}`;
  const head = raw.toString('latin1', 0, raw.length - body.length);
  if (INTERNALS.test(head)) return 'internals in the head of the answer';
  const id = headers.get('x-request-id') ?? '';
  if (!UUID.test(id) && !isSent(id, hostile))
    return 'an X-Request-Id that is neither new nor the one that was sent';
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const isHead = hostile.kind === 'request' && hostile.method === 'HEAD';
  if (status < 400)
    return isJson && !isHead && parsed(body) === undefined ? 'a body that is no JSON' : undefined;

  if (INTERNALS.test(body.toString())) return 'internals in an error';
  if (isHead) return undefined;
  const code = codeOf(body);
  if (!isJson || code === undefined) return 'an error without the shape of errors';
  return ERRORS[code].status === status ? undefined : `status ${status} for ${code}`;
}

/** The code of an error, if it has the shape of errors and is one of the catalogue. */
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
