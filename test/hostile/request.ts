/** One hostile exchange as data: what is written on the wire, by whom, and what may become of it. */
import type { ErrorCode } from '../../gateway/api/errors.ts';
import { mintApiKey } from '../../proto/api-key.ts';
import type { SourceType } from '../../proto/vocabulary.ts';

/** What the API makes of a request: a 2xx, or a refusal by its code. */
export type Outcome = 'success' | ErrorCode;

/** How the bytes travel. None of it may change what the API makes of them. */
export interface Transport {
  /** Sizes of the chunks, used in turn; undefined: a declared length. */
  chunks?: readonly number[];
  /** Where the bytes are cut into packets, as parts of the whole. */
  cuts: readonly number[];
}

/** A well-formed HTTP/1.1 request with a hostile meaning. */
export interface HttpRequest {
  kind: 'request';
  /** Index of the account that asks. */
  by: number;
  method: string;
  target: string;
  /** One character is one byte. KEY stands for a working key of the account. */
  headers: readonly (readonly [name: string, value: string])[];
  body?: Buffer;
  transport: Transport;
  /** What may become of it: one of these, whatever its body decides, or whatever breaks none of the other laws. */
  outcomes: readonly Outcome[] | 'by body' | 'any';
  /** Of a POST that may succeed: the type of the source, and whether it is a source of the account that asks. */
  writesTo?: { type: SourceType; own: boolean };
  /** Bun may answer for itself: a method that it does not know, a head near the size of its buffer, a target without /. */
  beyondBun?: boolean;
}

/** Bytes that are no well-formed request, or not one alone. */
export interface RawBytes {
  kind: 'raw';
  by: number;
  /** What is wrong with them. */
  name: string;
  /** One character is one byte. KEY stands for a working key of the account. */
  text: string;
  cuts: readonly number[];
  /** Answers that they may get at most. */
  answersMax: number;
  /** The client goes away soon, without waiting for an answer: none may be due. */
  hangsUp: boolean;
  /** Entries that it may create at most. */
  mayCreate: number;
}

export type Hostile = HttpRequest | RawBytes;

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Stands for a working key, and is as long as one: lengths are declared before it is put in. */
export const KEY = '{key}'.padEnd(mintApiKey('ledger').length, '.');

/** What every client sends. */
export const USUAL_HEADERS = [
  ['Host', 'ledger.example'],
  ['Authorization', `Bearer ${KEY}`],
] as const;

/** Stands in each text that the service is to keep and never to log. */
export const CANARY = 'c4n4ry';

/** Stands in each entry that may have been created unseen: the connection may end before its answer. */
export const PERHAPS = 'perhaps';

/** Stands in each entry that nobody asked to create: within an unfinished request, or in the body of another. */
export const SMUGGLED = 'smuggled';

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
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const chunk = body.subarray(at, at + (sizes[turn % sizes.length] ?? body.length));
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  return [...parts, Buffer.from('0\r\n\r\n')];
}

function cut(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [
    0,
    ...cuts.map((part) => Math.floor(part * whole.length)).sort((a, b) => a - b),
    whole.length,
  ];
  return places
    .slice(1)
    .map((end, at) => whole.subarray(places[at], end))
    .filter(({ length }) => length > 0);
}

/** Text as it stands in a request target: its UTF-8, one character a byte. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
