/** The input of POST transactions: its headers, and the body: bytes -> text -> JSON -> entries, or a complete list of faults. */
import { isUtf8 } from 'node:buffer';
import { Compile } from 'typebox/compile';
import { ENTRY_TEXTS, LIMITS } from '../../proto/domain.ts';
import { ApiError, ISSUES_MAX, type Issue } from '../api/errors.ts';
import { ENTRY_PROPERTIES, IdempotencyKey, TransactionInput } from '../api/schemas.ts';
import { type BodyText, scanBody, VALUES_PER_ENTRY_MAX } from './body-scan.ts';
import { addIssues, unknownNames } from './issues.ts';

export interface ParsedBody {
  entries: TransactionInput[];
  /** JSON pointer to entry `index` in the body: a single object is its own root. */
  pointer(index: number): string;
}

const entryValidator = Compile(TransactionInput);
const keyValidator = Compile(IdempotencyKey);

/**
 * Reads and validates a whole request body (docs/api/entries.md), in time linear in its length.
 * @throws ApiError invalid_json, empty_body, too_many, invalid_transaction
 */
export function readEntries(bytes: Uint8Array): ParsedBody {
  if (!isUtf8(bytes)) throw new ApiError('invalid_json', 'The body is not UTF-8.');
  const { faults, ...text } = scanBody(bytes);
  requireParsable(text);
  return validate(parse(bytes), faults);
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

/** @throws ApiError invalid_idempotency_key */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null) return undefined;
  if (keyValidator.Check(key)) return key;
  throw new ApiError(
    'invalid_idempotency_key',
    `Idempotency-Key must be one value of 1 to ${LIMITS.idempotencyKeyMax} visible ASCII characters, such as a UUID.`,
  );
}

/** Refuses bodies that are slow to parse, before they are parsed. */
function requireParsable({
  notJson,
  rootIsArray,
  entryCount,
  oversizedEntry,
}: Omit<BodyText, 'faults'>): void {
  if (notJson !== undefined) throw new ApiError('invalid_json', `The body is not valid JSON: ${notJson}`);
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

function parse(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  if (!/\S/.test(text))
    throw new ApiError('invalid_json', 'The body is empty: send one transaction or an array.');
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as SyntaxError).message.replace(/^JSON Parse error: /, '').slice(0, 200);
    throw new ApiError('invalid_json', `The body is not valid JSON: ${reason}`);
  }
}

function validate(body: unknown, faults: BodyText['faults']): ParsedBody {
  if (Array.isArray(body) && body.length === 0) {
    throw new ApiError(
      'empty_body',
      `The array is empty: send 1 to ${LIMITS.entriesPerRequest} transactions.`,
    );
  }
  if (!Array.isArray(body) && !isObject(body)) {
    throw invalidTransaction([
      { path: '', message: 'must be one transaction, an object, or an array of them' },
    ]);
  }
  const pointer = (index: number) => (Array.isArray(body) ? `/${index}` : '');
  const entries = [body].flat();
  if (faults.size === 0 && entries.every((entry) => entryValidator.Check(entry))) {
    return { entries: entries as TransactionInput[], pointer };
  }

  const issues: Issue[] = [];
  for (const [index, entry] of entries.entries()) {
    if (issues.length >= ISSUES_MAX) break;
    const own = new Map<string, string>();
    for (const [name, message] of faults.get(index) ?? []) own.set(`${pointer(index)}/${name}`, message);
    if (!isObject(entry)) {
      own.set(pointer(index), 'must be an object, one transaction');
    } else if (!entryValidator.Check(entry)) {
      const known = Object.entries(entry).filter(([name]) => ENTRY_PROPERTIES.includes(name));
      const value = Object.fromEntries(known);
      addIssues(own, entryValidator.Errors(value), value, pointer(index));
      const unknown = unknownNames(Object.keys(entry), ENTRY_PROPERTIES, 'properties');
      for (const [path, message] of unknown) own.set(pointer(index) + path, message);
    }
    issues.push(...[...own].map(([path, message]) => ({ path, message })));
  }
  throw invalidTransaction(issues);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidTransaction(issues: Issue[]): ApiError {
  return new ApiError('invalid_transaction', 'Nothing was created: some fields are not valid, see issues.', {
    fields: { issues: issues.slice(0, ISSUES_MAX) },
  });
}

/** SHA-256 of a write's content: two bodies that differ only in formatting are the same request. */
export function fingerprint(sourceId: string, { entries }: ParsedBody): Buffer {
  const hash = new Bun.CryptoHasher('sha256').update(sourceId.toLowerCase());
  for (const entry of entries) {
    const texts = ENTRY_TEXTS.map((name) => entry[name] ?? null);
    hash.update(JSON.stringify([entry.date, entry.type, entry.amountPence, ...texts]));
  }
  return Buffer.from(hash.digest());
}
