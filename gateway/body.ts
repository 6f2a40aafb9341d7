/** The body of POST transactions: bytes -> text -> JSON -> entries, or a complete list of what is wrong. */
import { Compile } from 'typebox/compile';
import { LIMITS } from '../proto/vocabulary.ts';
import { ApiError, ISSUES_MAX, type Issue } from './errors.ts';
import { addIssues, escapePointer } from './issues.ts';
import { readWritten, type Written } from './json.ts';
import { TransactionInput } from './schemas.ts';

export interface Entries {
  entries: TransactionInput[];
  /** JSON pointer to entry `index` in the body: a single object is its own root. */
  pointer(index: number): string;
}

const entryValidator = Compile(TransactionInput);
const PROPERTIES = Object.keys(TransactionInput.properties);

/**
 * Reads and validates a whole request body (specification: POST transactions, TransactionInput).
 * @throws ApiError invalid_json, empty_body, too_many, invalid_transaction
 */
export function readEntries(bytes: Uint8Array): Entries {
  const text = decode(bytes);
  return validate(parse(text), text);
}

/**
 * Refuses what is declared to be anything else than plain JSON, before any of it has arrived.
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

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('invalid_json', 'The body is not UTF-8.');
  }
}

function parse(text: string): unknown {
  if (text.trim() === '')
    throw new ApiError('invalid_json', 'The body is empty: send one transaction or an array.');
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? error.message.replace(/^JSON Parse error: /, '') : 'nested too deeply';
    throw new ApiError('invalid_json', `The body is not valid JSON: ${reason.slice(0, 200)}`);
  }
}

function validate(body: unknown, text: string): Entries {
  if (!Array.isArray(body)) {
    if (!isObject(body)) {
      throw invalidTransaction([
        { path: '', message: 'must be one transaction, an object, or an array of them' },
      ]);
    }
    const pointer = () => '';
    return { entries: validateAll([body], readWritten(text, 'object', [body]), pointer), pointer };
  }
  if (body.length === 0) {
    throw new ApiError(
      'empty_body',
      `The array is empty: send 1 to ${LIMITS.entriesPerRequest} transactions.`,
    );
  }
  if (body.length > LIMITS.entriesPerRequest) {
    throw new ApiError(
      'too_many',
      `The array has ${body.length} transactions: send at most ${LIMITS.entriesPerRequest} in one request.`,
    );
  }
  const pointer = (index: number) => `/${index}`;
  return { entries: validateAll(body, readWritten(text, 'array', body), pointer), pointer };
}

function validateAll(
  entries: unknown[],
  { repeated, floats }: Written,
  pointer: (index: number) => string,
): TransactionInput[] {
  if (entries.every((entry) => entryValidator.Check(entry)) && repeated.length === 0 && floats.size === 0) {
    return entries as TransactionInput[];
  }

  const issues: Issue[] = [];
  for (const [index, entry] of entries.entries()) {
    if (issues.length >= ISSUES_MAX) break;
    const own = new Map<string, string>();
    const float = floats.get(index);
    if (float !== undefined) own.set(`${pointer(index)}/amountPence`, writtenAsFloat(float));
    // Of two amounts in one entry, neither may be chosen for the client.
    for (const { name } of repeated.filter((member) => member.entry === index)) {
      own.set(`${pointer(index)}/${escapePointer(name)}`, 'is given more than once');
    }
    if (!isObject(entry)) {
      own.set(pointer(index), 'must be an object, one transaction');
    } else if (!entryValidator.Check(entry)) {
      addIssues(own, entryValidator.Errors(entry), entry, pointer(index), PROPERTIES);
    }
    issues.push(...[...own].map(([path, message]) => ({ path, message })));
  }
  throw invalidTransaction(issues);
}

function writtenAsFloat(source: string): string {
  return `must be written as a whole number of pence, not as ${source.slice(0, 32)}: 450.00 pounds is 45000`;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidTransaction(issues: Issue[]): ApiError {
  return new ApiError('invalid_transaction', 'Nothing was created: some fields are not valid, see issues.', {
    fields: { issues: issues.slice(0, ISSUES_MAX) },
  });
}
