/** The body of POST transactions: bytes -> text -> JSON -> entries, or a complete list of what is wrong. */
import { Compile } from 'typebox/compile';
import { LIMITS } from '../proto/vocabulary.ts';
import { ApiError, ISSUES_MAX, type Issue } from './errors.ts';
import { issuesOf } from './issues.ts';
import { parseJson, WrittenFloat, writtenMembers } from './json.ts';
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
 * @throws ApiError unsupported_encoding, payload_too_large, invalid_json, empty_body, too_many, invalid_transaction
 */
export async function readEntries(request: Request): Promise<Entries> {
  const text = await readText(request);
  const body = validate(parse(text));
  requireDistinctNames(text, body);
  return body;
}

async function readText(request: Request): Promise<string> {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') {
    throw new ApiError('unsupported_encoding', 'Send the body uncompressed, without Content-Encoding.');
  }
  const type = request.headers.get('content-type')?.split(';')[0]?.trim();
  if (type && !/^(application|text)\/(.+\+)?json$/i.test(type)) {
    throw new ApiError('invalid_json', `The body is declared as ${type}: send JSON, as application/json.`);
  }
  const bytes = await readBytes(request);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('invalid_json', 'The body is not UTF-8.');
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > LIMITS.bodyBytesMax) throw tooLarge();
  // A body of declared length cannot grow; one sent in chunks is counted as it comes.
  if (declared !== null || !request.body) return request.bytes();

  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > LIMITS.bodyBytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(): ApiError {
  return new ApiError('payload_too_large', 'The body is larger than 5 MiB: send fewer entries per request.');
}

function parse(text: string): unknown {
  if (text.trim() === '')
    throw new ApiError('invalid_json', 'The body is empty: send one transaction or an array.');
  try {
    return parseJson(text);
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? error.message.replace(/^JSON Parse error: /, '') : 'nested too deeply';
    throw new ApiError('invalid_json', `The body is not valid JSON: ${reason.slice(0, 200)}`);
  }
}

function validate(body: unknown): Entries {
  if (!Array.isArray(body) && !isObject(body)) {
    throw invalidTransaction([
      { path: '', message: 'must be one transaction, an object, or an array of them' },
    ]);
  }
  if (!Array.isArray(body)) return { entries: validateAll([body], () => ''), pointer: () => '' };
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
  return { entries: validateAll(body, pointer), pointer };
}

function validateAll(entries: unknown[], pointer: (index: number) => string): TransactionInput[] {
  if (entries.every((entry) => entryValidator.Check(entry))) return entries;

  const issues: Issue[] = [];
  for (const [index, entry] of entries.entries()) {
    if (issues.length >= ISSUES_MAX) break;
    if (entryValidator.Check(entry)) continue;
    if (!isObject(entry)) {
      issues.push({ path: pointer(index), message: 'must be an object, one transaction' });
      continue;
    }
    issues.push(...issuesOf(entryValidator.Errors(entry), entry, pointer(index), PROPERTIES));
  }
  throw invalidTransaction(issues);
}

function isObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenFloat)
  );
}

/** Of two amounts in one entry, neither may be chosen for the client. */
function requireDistinctNames(text: string, { entries, pointer }: Entries): void {
  const kept = entries.reduce((sum, entry) => sum + Object.keys(entry).length, 0);
  const written = [...writtenMembers(text)];
  if (written.length === kept) return;

  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { object, quotedName } of written) {
    const path = `${pointer(object)}/${JSON.parse(quotedName)}`;
    if (seen.has(path)) repeated.add(path);
    seen.add(path);
  }
  throw invalidTransaction([...repeated].map((path) => ({ path, message: 'is given more than once' })));
}

function invalidTransaction(issues: Issue[]): ApiError {
  return new ApiError('invalid_transaction', 'Nothing was created: some fields are not valid, see issues.', {
    fields: { issues: issues.slice(0, ISSUES_MAX) },
  });
}
