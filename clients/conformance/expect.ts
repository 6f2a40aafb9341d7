/** The expectations of rules, and the errors if they are not met. */
import type { Exchange, Json } from './exchange.ts';

/** The service contradicts the documentation. */
export class Broken extends Error {
  constructor(
    readonly exchange: Exchange,
    /** A clause: "status 201". */
    readonly expected: string,
  ) {
    super(`expected ${expected}`);
  }
}

/** The rule cannot be checked here. The message says why. */
export class NotChecked extends Error {}

/** @throws Broken */
export function expectThat(exchange: Exchange, isSo: boolean, expected: string): void {
  if (!isSo) throw new Broken(exchange, expected);
}

/** @throws Broken */
export function expectStatus(exchange: Exchange, ...statuses: number[]): void {
  expectThat(exchange, statuses.includes(exchange.status), `status ${statuses.join(' or ')}`);
}

/** Equal as JSON; the order of members does not count. @throws Broken */
export function expectSame(exchange: Exchange, actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [canonical(actual), canonical(expected)];
  expectThat(exchange, got === wanted, `${what} to be ${shortened(wanted)}, not ${shortened(got)}`);
}

/** The same in any order. @throws Broken */
export function expectSameSet(
  exchange: Exchange,
  actual: unknown[],
  expected: unknown[],
  what: string,
): void {
  const sorted = (list: unknown[]) => list.map(canonical).sort();
  expectSame(exchange, sorted(actual), sorted(expected), what);
}

/**
 * @param paths of the issues, in any order
 * @throws Broken
 */
export function expectError(
  exchange: Exchange,
  status: number,
  code: string,
  paths?: readonly string[],
): void {
  const error = exchange.body?.error;
  const isThat = exchange.status === status && error?.code === code;
  expectThat(exchange, isThat, `status ${status} with the code ${code}`);
  if (paths) expectSame(exchange, pathsOf(exchange).sort(), [...paths].sort(), 'the paths of the issues');
}

export function pathsOf({ body }: Exchange): string[] {
  const issues = body?.error?.issues;
  return Array.isArray(issues) ? issues.map(({ path }: Json) => `${path}`) : [];
}

/** The counts of a POST. `responses.created` checks the status that goes with them. @throws Broken */
export function expectCounts(exchange: Exchange, created: number, deduplicated: number): void {
  expectThat(exchange, exchange.status === 200 || exchange.status === 201, 'status 200 or 201');
  const { body } = exchange;
  const counts = { created: body.created, deduplicated: body.deduplicated };
  expectSame(exchange, counts, { created, deduplicated }, 'the counts');
  const lists = [body.transactions?.length, body.existing?.length];
  expectSame(exchange, lists, [created, deduplicated], 'the lengths of transactions and existing');
}

/** JSON with sorted members. */
function canonical(value: unknown): string {
  const sorted = (_: string, member: Json) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member;
  return JSON.stringify(value, sorted) ?? 'undefined';
}

const shortened = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
