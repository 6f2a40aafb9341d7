/** Turns the faults of a value or of query parameters into issues: for each failing path, a message that says how to correct it. */
import { distance } from 'fastest-levenshtein';
import type { TLocalizedValidationError } from 'typebox/error';
import { ApiError, ISSUES_MAX, type Issue } from '../api/errors.ts';
import { penceOf } from './body-scan.ts';

/**
 * Adds the first issue of each failing path.
 * @param errors of one value, without unknown names: TypeBox reports at most 8
 * @param prefix JSON pointer to the value in the request, '' for the whole
 */
export function addIssues(
  issues: Map<string, string>,
  errors: TLocalizedValidationError[],
  value: unknown,
  prefix: string,
): void {
  const add = (path: string, message: string) => {
    if (!issues.has(path)) issues.set(path, message);
  };
  for (const error of errors) {
    const path = prefix + error.instancePath;
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) add(`${path}/${name}`, 'is required');
    } else {
      add(path, messageOf(error, at(value, error.instancePath)));
    }
  }
}

/** An issue for each name that is not accepted: message by path; at most ISSUES_MAX. */
export function unknownNames(
  names: Iterable<string>,
  accepted: readonly string[],
  kind: 'properties' | 'parameters',
): Map<string, string> {
  const issues = new Map<string, string>();
  for (const name of names) {
    const path = `/${escapePointer(name)}`;
    if (accepted.includes(name) || issues.has(path)) continue;
    if (issues.size === ISSUES_MAX) break;
    const message =
      accepted.length === 0
        ? 'is not accepted: this endpoint takes no query parameters'
        : `is not one of the accepted ${kind}; ${proposal(name, accepted)}`;
    issues.set(path, message);
  }
  return issues;
}

/** Not by `new URL`: without a Host header, as HTTP/1.0 allows, `url` is only a path. */
export function searchParams({ url }: Request): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
}

/** A misspelt filter must not return an unfiltered list. @throws ApiError invalid_query, with every issue */
export function requireKnown(parameters: URLSearchParams, known: readonly string[]): void {
  const unknown = unknownNames(parameters.keys(), known, 'parameters');
  if (unknown.size > 0) throw invalidQuery(unknown);
}

/** @param found messages by path */
export function invalidQuery(...found: Map<string, string>[]): ApiError {
  const issues: Issue[] = found
    .flatMap((each) => [...each])
    .slice(0, ISSUES_MAX)
    .map(([path, message]) => ({ path, message }));
  return new ApiError('invalid_query', 'Some query parameters are not valid, see issues.', {
    fields: { issues },
  });
}

/**
 * "Did you mean …?" for the nearest of the accepted names, or all of them when none is near.
 * @param labels the everyday words for a name: shown beside it, and compared too
 */
export function proposal(
  name: string,
  accepted: readonly string[],
  labels: ReadonlyMap<string, string> = new Map(),
): string {
  const shown = (each: string) => (labels.has(each) ? `${each} (${labels.get(each)})` : each);
  // The edit distance of long texts is costly.
  const start = name.slice(0, COMPARED_MAX);
  const near = accepted
    .flatMap((candidate) =>
      [candidate, labels.get(candidate) ?? candidate].map((text) => ({ candidate, text })),
    )
    .map((each) => ({ ...each, edits: distance(start.toLowerCase(), each.text.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)[0];
  // A suggestion that shares no letter with the name does not help.
  return near &&
    near.edits <= editsMax(start, near.text) &&
    near.edits < Math.max(name.length, near.text.length)
    ? `did you mean ${shown(near.candidate)}?`
    : `accepted: ${accepted.map(shown).join(', ')}`;
}

/** Two edits make another word of a short name, unless they only exchange letters. */
function editsMax(name: string, text: string): number {
  if (text.length > SHORT_NAME) return Math.max(2, text.length / 3);
  return sortedLetters(name) === sortedLetters(text) ? 2 : 1;
}

const COMPARED_MAX = 64;
const SHORT_NAME = 4;
const sortedLetters = (text: string) => [...text.toLowerCase()].sort().join('');

const AMOUNT = '/amountPence';

function messageOf(error: TLocalizedValidationError, value: unknown): string {
  const isAmount = error.instancePath === AMOUNT;
  switch (error.keyword) {
    case 'type': {
      const example = isAmount && typeof value === 'string' ? `: ${penceOf(value)}` : '';
      return `must be ${named(error.params.type)}, not ${kindOf(value)}${example}`;
    }
    case 'minimum':
      return isAmount && Number(value) < 0
        ? `must be at least ${error.params.limit}: the sign of an amount is its \`type\`, income or expense`
        : `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'format':
      return 'must be a real calendar date, written YYYY-MM-DD';
    case 'minLength':
      return 'must not be empty: leave it out instead';
    case 'maxLength':
      return `must be at most ${error.params.limit} characters, not ${codePoints(String(value))}`;
    default:
      return error.message;
  }
}

/** Counts in place: an array of the characters of a text of megabytes is slow. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function named(type: string | string[]): string {
  return { object: 'an object', integer: 'an integer' }[String(type)] ?? `a ${type}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The member that a JSON pointer of one step names. */
function at(value: unknown, pointer: string): unknown {
  return pointer === '' ? value : (value as Record<string, unknown>)[pointer.slice(1)];
}

/** The beginning of a name, as a step of a JSON pointer. Strict parsers refuse half of a surrogate pair. */
function escapePointer(name: string): string {
  return name.slice(0, 64).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
