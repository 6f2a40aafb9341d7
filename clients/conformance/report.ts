/** The report of a run, for people and programs. */
import { type Exchange, NoResponse, type SentRequest } from './exchange.ts';
import { Broken, NotChecked } from './expect.ts';
import type { ConformanceRule } from './rule.ts';

export type RuleOutcome = 'holds' | 'broken' | 'not checked';

export interface RuleResult {
  id: string;
  page: string;
  sentence: string;
  outcome: RuleOutcome;
  /** Of a rule that is not checked. */
  why?: string;
  /** Whether a request got no response of the service: the rule may be broken, or the service unavailable. */
  isInterrupted?: true;
  /** Of a broken rule, with the request and the response that break it. */
  expected?: string;
  request?: SentRequest;
  response?: { status: number; headers: Record<string, string>; body: string };
}

export interface Report {
  url: string;
  startedAt: string;
  seconds: number;
  requests: number;
  /** Whether the service stopped responding during the run, and did not respond again. */
  isDown: boolean;
  counts: Record<RuleOutcome, number>;
  /** The entries that the run leaves behind: the API cannot delete entries. */
  entries: { created: number; year: number; descriptions: string };
  rules: RuleResult[];
}

const BODY_MAX = 2_000;

/** @param error of the check; undefined: it found nothing @param last exchange of the rule */
export function ruleResult(
  { id, page, sentence }: ConformanceRule,
  error: unknown,
  last: Exchange | undefined,
): RuleResult {
  const rule = { id, page, sentence };
  if (error === undefined) return { ...rule, outcome: 'holds' };
  if (error instanceof NotChecked) return { ...rule, outcome: 'not checked', why: error.message };
  if (error instanceof NoResponse) {
    const expected = `a response (${error.message})`;
    return { ...rule, outcome: 'broken', isInterrupted: true, expected, request: error.request };
  }
  const seen = error instanceof Broken ? error.exchange : last;
  if (seen && isOutage(seen)) {
    const why = `The service responded ${seen.status}: it is overloaded or a part is unavailable.`;
    return { ...rule, outcome: 'not checked', isInterrupted: true, why };
  }
  // The check failed on a response with an undescribed shape.
  const expected =
    error instanceof Broken ? error.expected : `another response (${(error as Error).message})`;
  return { ...rule, outcome: 'broken', expected, ...(seen && shownExchange(seen)) };
}

/** The result of a rule during an outage. */
export const unavailable = ({ id, page, sentence }: ConformanceRule): RuleResult => ({
  id,
  page,
  sentence,
  outcome: 'not checked',
  why: 'The service stopped responding during the run.',
});

/** Whether the service, or a proxy that cannot reach it, says that it is unavailable. */
export const isOutage = ({ status }: Pick<Exchange, 'status'>): boolean => [502, 503, 504].includes(status);

function shownExchange({
  request,
  status,
  headers,
  body,
}: Exchange): Pick<RuleResult, 'request' | 'response'> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = { status, headers: Object.fromEntries(headers), body: shortenedBody(text) };
  return { request: { ...request, body: shortenedBody(request.body) }, response };
}

const shortenedBody = (text: string) => (text.length > BODY_MAX ? `${text.slice(0, BODY_MAX)}…` : text);

/** The exchange without keys, in case the service sent one back. */
export function withoutKeys(result: RuleResult, keys: readonly string[]): RuleResult {
  return JSON.parse(keys.reduce((text, key) => text.replaceAll(key, '(key)'), JSON.stringify(result)));
}
