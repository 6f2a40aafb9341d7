/** The requests of framing.ts. */
import { KEY, SMUGGLED, UNCONFIRMED } from './request.ts';

/** A placeholder for the id of a source, of the same length. */
export const SOURCE = '{source}'.padEnd(36, '.');
const PATH = `/api/v1/sources/${SOURCE}/transactions`;
export const HEAD = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;
const entry = (description: string) =>
  JSON.stringify({ date: '2026-04-06', type: 'income', amountPence: 777, description });
/** May be stored only if the gateway accepts the whole request. */
export const FAIR = entry(UNCONFIRMED);
const BODY = entry(SMUGGLED);
const GET = `GET /api/v1/me HTTP/1.1\r\n${HEAD}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const LAST = '0\r\n\r\n';

const withLines = (headers: string[]) => `${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
const post = (...headers: string[]) => `POST ${PATH} HTTP/1.1\r\n${HEAD}${withLines(headers)}`;
const length = (body: string) => `Content-Length: ${body.length}`;
const hex = (body: string) => body.length.toString(16);
const chunk = (body: string) => `${hex(body)}\r\n${body}\r\n`;
export const whole = (body: string, ...headers: string[]) => post(...headers, length(body)) + body;
export const inChunks = (body: string) => post(CHUNKED) + chunk(body) + LAST;
/** A complete POST that must never be executed. */
const HIDDEN = whole(BODY);
/** With a hidden request in its body. */
const hiding = (line: string, ...headers: string[]) =>
  `${line} HTTP/1.1\r\n${withLines([...headers, length(HIDDEN)])}${HIDDEN}`;
const OWN = HEAD.trim();

/** Ambiguous about the target or the end of a request, or with a request hidden in a body. Nothing may be created. */
export const AMBIGUOUS = [
  `${post('Content-Length: 5', CHUNKED)}${LAST}${HIDDEN}`,
  `${post(CHUNKED, 'Content-Length: 4')}${chunk(BODY)}${LAST}`,
  hiding('GET /api/v1/me', OWN),
  hiding(`POST ${PATH}`, 'Host: x'),
  hiding(`POST ${PATH}`, OWN, 'Content-Encoding: gzip'),
  hiding('POST /nowhere', OWN),
  hiding('DELETE /api/v1/me', OWN),
  `POST /nowhere HTTP/1.1\r\n${HEAD}${CHUNKED}\r\n\r\n${chunk(HIDDEN)}${LAST}`,
  `${GET}X: \r\n\t${HIDDEN}`,
  `${post('Host: y', length(BODY))}${BODY}`,
  `${post(length(BODY), 'Content-Length: 1')}${BODY}`,
  `${post(`${length(BODY)}, 1`)}${BODY}`,
  ...['gzip, chunked', 'xchunked', `chunked\r\n${CHUNKED}`, 'chunked, identity', '\r\n chunked'].map(
    (coding) => `${post(`Transfer-Encoding: ${coding}`)}${chunk(BODY)}${LAST}`,
  ),
  `${post('Transfer-Encoding: \x0bchunked', 'Content-Length: 0')}${chunk(BODY)}${LAST}`,
  `${post('Transfer-Encoding : chunked', length(BODY))}${BODY}`,
  `${post(`X: y\n${CHUNKED}`, length(BODY))}${BODY}`,
  `${post(`Content_Length: ${BODY.length}`)}${BODY}`,
  ...['-1', '+5', '0x40', '1e2', '', ' ', '5 5', '9'.repeat(23), '18446744073709551617', 'NaN', '\xb2'].map(
    (value) => `${post(`Content-Length: ${value}`)}${BODY}`,
  ),
];

/** Malformed chunks, so that the end of the body is unknown. */
export const MALFORMED_CHUNKS = [
  ...['zz', '-5', '+5', '0x5', '', ' ', '5 5', 'f'.repeat(16), '10000000000000000f', `7${'f'.repeat(15)}`],
  ...['\xb2', (BODY.length - 1).toString(16), (BODY.length + 1).toString(16)],
]
  .map((size) => `${post(CHUNKED)}${size}\r\n${BODY}\r\n${LAST}`)
  .concat([
    `${post(CHUNKED)}${hex(BODY)}\r\n${BODY}${LAST}`,
    `${post(CHUNKED)}${chunk(BODY).replaceAll('\r\n', '\n')}0\n\n`,
    `${post(CHUNKED)}${hex(BODY)};a\n${BODY}\r\n${LAST}`,
  ]);

/** Not a request of HTTP/1.1. */
export const MALFORMED = [
  `GET ${PATH}\r\n\r\n`,
  `GET /api/v1/me HTTP/1.2\r\n${HEAD}\r\n`,
  whole(BODY).replace(' HTTP/1.1', ''),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  '\x16\x03\x01\0\xa5\x01\0\0\xa1\x03\x03\r\n\r\n',
  `PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n${GET}\r\n`,
  whole(BODY).replaceAll('\r\n', '\n'),
  GET.replaceAll('\r\n', '\r'),
  'GET /api/v1/me HTTP/1.1\r\n\r\n',
  ...['X: a\r\n b', ': a', 'a', 'X: a\0b', 'a: b\r\n'.repeat(1_000), `X: ${'x'.repeat(1_000_000)}`].map(
    (header) => `${GET}${header}\r\n\r\n`,
  ),
  `GET /api/v1/me HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`,
  ...['GET /api/v1/me\0 HTTP/1.1', 'GET  /api/v1/me  HTTP/1.1', 'GET HTTP/1.1', 'OPTIONS * HTTP/1.1'].map(
    (line) => `${line}\r\n${HEAD}\r\n`,
  ),
];

/** Unusual but unambiguous. The gateway may reject such a request, or accept it completely. */
export const UNUSUAL = [
  whole(FAIR).replace('HTTP/1.1', 'HTTP/1.0'),
  `\r\n\r\n${whole(FAIR)}`,
  `${whole(FAIR)}\r\n`,
  `${whole(FAIR)}}}}`,
  whole(FAIR, length(FAIR)),
  `${post(`Content-Length: 000${FAIR.length}`)}${FAIR}`,
  inChunks(FAIR).replace('chunked', 'Chunked'),
  `${post(CHUNKED)}${hex(FAIR)};a=b;c="d"\r\n${FAIR}\r\n0;e\r\n\r\n`,
  `${post(CHUNKED)}000${chunk(FAIR)}00${LAST}`,
  `${post(CHUNKED)}${chunk(FAIR)}0\r\nX: y\r\n\r\n`,
  `${post(CHUNKED)}${chunk(FAIR)}0\r\nContent-Length: 1\r\n\r\n`,
  whole(FAIR).replace(' /', ' http://other.example/'),
];
