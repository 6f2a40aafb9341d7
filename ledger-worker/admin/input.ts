/** Validation of Admin requests. Each function throws INVALID_ARGUMENT, with a message for a person. */
import { isValid as isCountryCode } from 'i18n-iso-countries';
import type { AdminMethod } from '../../proto/contract.ts';
import { isUuid, SOURCE_ROLES, SOURCE_TYPES } from '../../proto/domain.ts';
import { invalidArgument } from '../handlers.ts';

const NAME_LENGTH_MAX = 200;

export function newSource(request: AdminMethod<'createSource'>['request']) {
  const { accountId, type, name, countryCode, role, sharePercent } = request;
  if (!(sharePercent >= 0 && sharePercent <= 100)) throw invalidArgument('share must be 0 to 100 (percent)');
  if (countryCode !== undefined && type !== 'foreign-property') {
    throw invalidArgument('only a foreign-property has a country');
  }
  if (countryCode !== undefined && !(/^[A-Z]{2}$/.test(countryCode) && isCountryCode(countryCode))) {
    throw invalidArgument(
      `country must be an ISO 3166-1 alpha-2 code such as FR, not ${JSON.stringify(countryCode)}`,
    );
  }
  return {
    accountId: uuid('account', accountId),
    type: oneOf('type', type, SOURCE_TYPES),
    name: sourceName(name),
    countryCode: countryCode ?? null,
    role: oneOf('role', role, SOURCE_ROLES),
    sharePercent,
  };
}

export function sourceName(name: string): string {
  if (name.trim() === '' || [...name].length > NAME_LENGTH_MAX || name.includes('\0')) {
    throw invalidArgument(`name must be 1 to ${NAME_LENGTH_MAX} characters`);
  }
  // U+FFFD may replace invalid UTF-8.
  if (name.includes('\ufffd')) throw invalidArgument('name must be UTF-8, without U+FFFD');
  return name;
}

export function oneOf(what: string, value: string, accepted: readonly string[]): string {
  if (!accepted.includes(value)) {
    throw invalidArgument(`${what} must be one of ${accepted.join(', ')}, not ${JSON.stringify(value)}`);
  }
  return value;
}

export function uuid(what: string, value: string): string {
  if (!isUuid(value)) {
    throw invalidArgument(`${what} must be a uuid, not ${JSON.stringify(value)}`);
  }
  return value;
}

export function pageSize(limit: number, max: number): number {
  if (limit < 1 || limit > max) throw invalidArgument(`limit must be 1 to ${max}`);
  return limit;
}

/** The database checks whether the day exists. */
export function day(date: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw invalidArgument(`date must be written YYYY-MM-DD, not ${JSON.stringify(date)}`);
  }
  return date;
}
