/**
 * Checks of the fields of a request: the database would accept or misread an invalid value, and ids, dates and types go into array literals
 * as they are. Each throws INVALID_ARGUMENT.
 */
import { isUuid } from '../proto/domain.ts';
import { invalidArgument } from './status.ts';

/** @param what the name of the value, for the message */
export function requireUuid(what: string, value: string): string {
  if (!isUuid(value)) throw invalidArgument(`${what} must be a uuid, not ${JSON.stringify(value)}`);
  return value;
}

/** Postgres also accepts "today". It checks itself whether the day exists. */
export function requireDateFormat(date: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw invalidArgument(`date must be written YYYY-MM-DD, not ${JSON.stringify(date)}`);
  }
  return date;
}

/** Checks a date that may not reach the database: a page uses only the later of two bounds. */
export function requireRealDate(date: string): void {
  requireDateFormat(date);
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.valueOf()) || !day.toISOString().startsWith(date)) {
    throw invalidArgument('the date does not exist');
  }
}

export function requireOneOf(what: string, value: string, accepted: readonly string[]): string {
  if (!accepted.includes(value)) {
    throw invalidArgument(`${what} must be one of ${accepted.join(', ')}, not ${JSON.stringify(value)}`);
  }
  return value;
}

export function requirePageSize(limit: number, max: number): number {
  if (limit < 1 || limit > max) throw invalidArgument(`limit must be 1 to ${max}`);
  return limit;
}
