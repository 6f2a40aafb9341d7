/** One hostile exchange as data: the bytes, the account, and the allowed outcomes. */
import type { ErrorCode } from '../../gateway/api/errors.ts';
import { mintApiKey } from '../../ledger-worker/admin/keys.ts';
import type { SourceType } from '../../proto/domain.ts';

/** The outcome of a request: a 2xx or an error code. */
export type Outcome = 'success' | ErrorCode;

/** How the bytes are sent. This must not change the outcome. */
export interface Transport {
  /** Sizes of the chunks, used cyclically; undefined: a Content-Length. */
  chunks?: readonly number[];
  /** Where the bytes are cut into packets, as fractions of their length. */
  cuts: readonly number[];
}

/** A well-formed HTTP/1.1 request with hostile content. */
export interface HttpRequest {
  kind: 'request';
  /** Index of the requesting account. */
  by: number;
  method: string;
  target: string;
  /** One character is one byte. KEY stands for a working key of the account. */
  headers: readonly (readonly [name: string, value: string])[];
  body?: Buffer;
  transport: Transport;
  /** The allowed outcomes: a list, those that the judge finds for the body, or any. */
  outcomes: readonly Outcome[] | 'by body' | 'any';
  /** For a POST that may succeed: the type of the source, and whether it belongs to the requesting account. */
  writesTo?: { type: SourceType; own: boolean };
  /** Bun itself may reject it: an unknown method, a head near the size of its buffer, a target without a slash. */
  beyondBun?: boolean;
}

/** Bytes that are not exactly one well-formed request. */
export interface RawBytes {
  kind: 'raw';
  by: number;
  /** One character is one byte. KEY stands for a working key of the account. */
  text: string;
  cuts: readonly number[];
  responsesMax: number;
  /** The client closes the connection early: there may be no response to wait for. */
  isAbandoned: boolean;
  /** The maximum number of created entries. */
  mayCreate: number;
}

export type Hostile = HttpRequest | RawBytes;

/** A placeholder for a working key, of the same length, so that a Content-Length stays right. */
export const KEY = '{key}'.padEnd(mintApiKey('ledger').length, '.');

/** The headers of every ordinary client. */
export const USUAL_HEADERS = [
  ['Host', 'ledger.example'],
  ['Authorization', `Bearer ${KEY}`],
] as const;

/** A part of each text that the service may store but must never log. */
export const CANARY = 'c4n4ry';

/** The description of entries that may be created without an acknowledgement: the connection may end before the response. */
export const UNCONFIRMED = 'unconfirmed';

/** The description of entries that must not be created: in an unfinished request, or hidden in the body of another one. */
export const SMUGGLED = 'smuggled in';

/** The bytes of `hostile`, in packets. */
export function packetsOf(hostile: Hostile, key: string): Buffer[] {
  if (hostile.kind === 'raw') return cut(bytes(hostile.text, key), hostile.cuts);
  const { method, target, headers, body, transport } = hostile;
  const framing = body === undefined ? [] : [framingOf(body, transport)];
  const head = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const content = body === undefined ? [] : transport.chunks ? chunked(body, transport.chunks) : [body];
  const all = [bytes(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, key), ...content];
  return cut(Buffer.concat(all), transport.cuts);
}

function framingOf(body: Buffer, { chunks }: Transport): [string, string] {
  return chunks ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)];
}

function bytes(text: string, key: string): Buffer {
  return Buffer.from(text.replaceAll(KEY, key), 'latin1');
}

function chunked(body: Buffer, sizes: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0, n = 0; at < body.length; n++) {
    const chunk = body.subarray(at, at + (sizes[n % sizes.length] ?? body.length));
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  return [...parts, Buffer.from('0\r\n\r\n')];
}

function cut(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const offsets = [
    0,
    ...cuts.map((part) => Math.floor(part * whole.length)).sort((a, b) => a - b),
    whole.length,
  ];
  return offsets
    .slice(1)
    .map((end, at) => whole.subarray(offsets[at], end))
    .filter(({ length }) => length > 0);
}

/** Text for a request target: its UTF-8, one character per byte. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
