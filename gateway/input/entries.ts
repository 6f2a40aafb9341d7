/** The body of POST transactions: bytes -> text -> JSON -> entries, or a complete list of what is wrong. */
import { isUtf8 } from 'node:buffer';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { LIMITS } from '../../proto/vocabulary.ts';
import { ApiError, ISSUES_MAX, type Issue } from '../api/errors.ts';
import { ENTRY_PROPERTIES, TransactionInput } from '../api/schemas.ts';
import { addIssues } from './issues.ts';
import { type BodyText, scanBody, VALUES_PER_ENTRY_MAX } from './json-source.ts';

export interface Entries {
  entries: TransactionInput[];
  /** JSON pointer to entry `index` in the body: a single object is its own root. */
  pointer(index: number): string;
}

const entryValidator = Compile(TransactionInput);
// Without the check for unknown names, a third of the time: scanBody finds them.
const knownNamesValidator = Compile(Type.Object(TransactionInput.properties));

// A step takes less than a millisecond.
const STEP_ENTRIES = 50;

/**
 * Reads and validates a whole request body (specification: POST transactions, TransactionInput), in time linear in its length.
 * Yields between steps.
 * @throws ApiError invalid_json, empty_body, too_many, invalid_transaction
 */
export function* readEntries(bytes: Uint8Array): Generator<void, Entries> {
  if (!isUtf8(bytes)) throw new ApiError('invalid_json', 'The body is not UTF-8.');
  const written = yield* scanBody(bytes);
  requireParsable(written);
  return yield* validate(yield* parse(bytes, written.cuts), written);
}

/**
 * Refuses a body that is declared compressed, or as anything but JSON. Needs the headers only.
 * @throws ApiError unsupported_encoding, invalid_json
 */
export function requireJson(headers: Headers): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') {
    throw new ApiError('unsupported_encoding', 'Send the body uncompressed, without Content-Encoding.');
  }
  const type = headers.get('content-type')?.split(';')[0]?.trim();
  if (type && !/^(application|text)\/(.+\+)?json$/i.test(type)) {
    throw new ApiError('invalid_json', `The body is declared as ${type}: send JSON, as application/json.`);
  }
}

/** Refuses bodies that are slow to parse, before they are parsed. */
function requireParsable({ isBalanced, rootIsArray, entryCount, oversizedEntry }: BodyText): void {
  if (!isBalanced) {
    throw new ApiError(
      'invalid_json',
      'The body is not valid JSON: its quotes or its brackets do not match.',
    );
  }
  if (entryCount > LIMITS.entriesPerRequest) {
    throw new ApiError(
      'too_many',
      `The array has ${entryCount} transactions: send at most ${LIMITS.entriesPerRequest} in one request.`,
    );
  }
  if (oversizedEntry !== undefined) {
    const path = rootIsArray ? `/${oversizedEntry}` : '';
    const message = `holds more than ${VALUES_PER_ENTRY_MAX} values: a transaction has only ${ENTRY_PROPERTIES.join(', ')}`;
    throw invalidTransaction([{ path, message }]);
  }
}

/** @param cuts the places of commas between elements of a root array: the parts between them are parsed one by one */
function* parse(bytes: Uint8Array, cuts: readonly number[]): Generator<void, unknown> {
  if (cuts.length === 0) return parseText(new TextDecoder().decode(bytes));
  const entries: unknown[] = [];
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    // A byte order mark may precede the whole text only.
    const text = new TextDecoder('utf-8', { ignoreBOM: start > 0 }).decode(bytes.subarray(start, end));
    const part = parseText(`${start === 0 ? '' : '['}${text}${end === bytes.length ? '' : ']'}`);
    if (!Array.isArray(part) || part.length === 0) throw invalidJson('Unexpected comma');
    entries.push(...part);
    start = end + 1;
    yield;
  }
  return entries;
}

function parseText(text: string): unknown {
  if (!/\S/.test(text))
    throw new ApiError('invalid_json', 'The body is empty: send one transaction or an array.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidJson((error as SyntaxError).message.replace(/^JSON Parse error: /, ''));
  }
}

function invalidJson(reason: string): ApiError {
  return new ApiError('invalid_json', `The body is not valid JSON: ${reason.slice(0, 200)}`);
}

function* validate(body: unknown, written: BodyText): Generator<void, Entries> {
  if (!Array.isArray(body)) {
    if (!isObject(body)) {
      throw invalidTransaction([
        { path: '', message: 'must be one transaction, an object, or an array of them' },
      ]);
    }
    const pointer = () => '';
    return { entries: yield* validateAll([body], written, pointer), pointer };
  }
  if (body.length === 0) {
    throw new ApiError(
      'empty_body',
      `The array is empty: send 1 to ${LIMITS.entriesPerRequest} transactions.`,
    );
  }
  const pointer = (index: number) => `/${index}`;
  return { entries: yield* validateAll(body, written, pointer), pointer };
}

function* validateAll(
  entries: unknown[],
  { hasUnknownName, repeatedNames, floatAmounts }: BodyText,
  pointer: (index: number) => string,
): Generator<void, TransactionInput[]> {
  let isValid = !hasUnknownName && repeatedNames.size === 0 && floatAmounts.size === 0;
  for (let first = 0; isValid && first < entries.length; first += STEP_ENTRIES) {
    isValid = entries.slice(first, first + STEP_ENTRIES).every((entry) => knownNamesValidator.Check(entry));
    yield;
  }
  if (isValid) return entries as TransactionInput[];

  const issues: Issue[] = [];
  for (const [index, entry] of entries.entries()) {
    if (issues.length >= ISSUES_MAX) break;
    const own = new Map<string, string>();
    const float = floatAmounts.get(index);
    if (float !== undefined) own.set(`${pointer(index)}/amountPence`, writtenAsFloat(float));
    // Given two amounts in one entry, the service must not pick one.
    for (const name of repeatedNames.get(index) ?? []) {
      own.set(`${pointer(index)}/${name}`, 'is given more than once');
    }
    if (!isObject(entry)) {
      own.set(pointer(index), 'must be an object, one transaction');
    } else if (!entryValidator.Check(entry)) {
      const shortened = withShortNames(entry as object);
      addIssues(own, entryValidator.Errors(shortened), shortened, pointer(index), ENTRY_PROPERTIES);
    }
    issues.push(...[...own].map(([path, message]) => ({ path, message })));
  }
  throw invalidTransaction(issues);
}

/** Cuts names to 64 characters, more than any known name has: validation and messages take long on a name of megabytes. */
function withShortNames(entry: object): object {
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name.slice(0, 64), value]));
}

/** Shows the caller's own amount in pence, if it can only be pounds: `45000.0` may be the float of a number of pence. */
function writtenAsFloat(source: string): string {
  const [, pounds = '', pence = ''] = /^(\d+)\.(\d\d|[1-9])$/.exec(source) ?? [];
  const whole = Number(pounds + pence.padEnd(2, '0'));
  const isAmount = pounds !== '' && whole > 0 && whole <= LIMITS.amountPenceMax;
  const example = isAmount ? `${source} pounds is ${whole}` : '450.00 pounds is 45000';
  return `must be written as a whole number of pence, not as ${source}: ${example}`;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidTransaction(issues: Issue[]): ApiError {
  return new ApiError('invalid_transaction', 'Nothing was created: some fields are not valid, see issues.', {
    fields: { issues: issues.slice(0, ISSUES_MAX) },
  });
}
