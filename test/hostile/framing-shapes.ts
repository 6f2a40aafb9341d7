/** The request shapes of framing.ts, by name. */
import type { Parts, Shapes } from './framing.ts';

const post = ({ path, head }: Parts, ...headers: string[]) =>
  `POST ${path} HTTP/1.1\r\n${head}${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`;
const length = (body: string) => `Content-Length: ${body.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';

/** Ambiguous about the target or the end of a request, or with a request hidden in a body. Nothing may be created. */
export const AMBIGUOUS: Shapes = {
  'a length and chunks, the length first': (p) =>
    `${post(p, 'Content-Length: 5', CHUNKED)}0\r\n\r\n${p.hidden}`,
  'a length and chunks, the chunks first': (p) =>
    `${post(p, CHUNKED, 'Content-Length: 4')}${chunk(p.body)}0\r\n\r\n`,
  'a length that covers a hidden request': (p) =>
    `GET /api/v1/me HTTP/1.1\r\n${p.head}${length(p.hidden)}\r\n\r\n${p.hidden}`,
  'a hidden request in a body that is rejected for its key': (p) =>
    `POST ${p.path} HTTP/1.1\r\nHost: x\r\n${length(p.hidden)}\r\n\r\n${p.hidden}`,
  'a hidden request in a body that is rejected for its encoding': (p) =>
    `${post(p, 'Content-Encoding: gzip', length(p.hidden))}${p.hidden}`,
  'a hidden request in a body to an unknown path': (p) =>
    `POST /nowhere HTTP/1.1\r\n${p.head}${length(p.hidden)}\r\n\r\n${p.hidden}`,
  'a hidden request in a body with a wrong method': (p) =>
    `DELETE /api/v1/me HTTP/1.1\r\n${p.head}${length(p.hidden)}\r\n\r\n${p.hidden}`,
  'a hidden request in a chunk': (p) =>
    `POST /nowhere HTTP/1.1\r\n${p.head}${CHUNKED}\r\n\r\n${chunk(p.hidden)}0\r\n\r\n`,
  'a hidden request in a header': (p) => `GET /api/v1/me HTTP/1.1\r\n${p.head}X: \r\n\t${p.hidden}`,
  'two hosts': (p) => `${post(p, 'Host: y', length(p.body))}${p.body}`,
  'two lengths': (p) => `${post(p, length(p.body), 'Content-Length: 1')}${p.body}`,
  'two lengths in one header': (p) => `${post(p, `Content-Length: ${p.body.length}, 1`)}${p.body}`,
  'two codings': (p) => `${post(p, 'Transfer-Encoding: gzip, chunked')}${chunk(p.body)}0\r\n\r\n`,
  'an unknown coding': (p) => `${post(p, 'Transfer-Encoding: xchunked')}${chunk(p.body)}0\r\n\r\n`,
  'chunked, twice': (p) => `${post(p, CHUNKED, CHUNKED)}${chunk(p.body)}0\r\n\r\n`,
  'chunked, but not as the last coding': (p) =>
    `${post(p, 'Transfer-Encoding: chunked, identity')}${chunk(p.body)}0\r\n\r\n`,
  'chunked, after a vertical tab': (p) =>
    `${post(p, 'Transfer-Encoding: \x0bchunked', 'Content-Length: 0')}${chunk(p.body)}0\r\n\r\n`,
  'chunked, folded': (p) => `${post(p, 'Transfer-Encoding:\r\n chunked')}${chunk(p.body)}0\r\n\r\n`,
  'chunked, a space before the colon': (p) =>
    `${post(p, 'Transfer-Encoding : chunked', length(p.body))}${p.body}`,
  'chunked, behind a bare line feed': (p) => `${post(p, `X: y\n${CHUNKED}`, length(p.body))}${p.body}`,
  'a length with an underscore': (p) => `${post(p, `Content_Length: ${p.body.length}`)}${p.body}`,
  ...Object.fromEntries(
    ['-1', '+5', '0x40', '1e2', '', ' ', '5 5', '9'.repeat(23), '18446744073709551617', 'NaN', '\xb2'].map(
      (value) => [
        `a length of ${JSON.stringify(value)}`,
        (p: Parts) => `${post(p, `Content-Length: ${value}`)}${p.body}`,
      ],
    ),
  ),
};

/** Malformed chunks, so that the end of the body is unknown. */
export const CHUNKED_SHAPES: Shapes = {
  ...Object.fromEntries(
    [
      'zz',
      '-5',
      '+5',
      '0x5',
      '',
      ' ',
      '5 5',
      'f'.repeat(16),
      '10000000000000000f',
      `7${'f'.repeat(15)}`,
      '\xb2',
    ].map((size) => [
      `a chunk of size ${JSON.stringify(size)}`,
      (p: Parts) => `${post(p, CHUNKED)}${size}\r\n${p.body}\r\n0\r\n\r\n`,
    ]),
  ),
  'a chunk that is longer than its size': (p) =>
    `${post(p, CHUNKED)}${(p.body.length - 1).toString(16)}\r\n${p.body}\r\n0\r\n\r\n`,
  'a chunk that is shorter than its size': (p) =>
    `${post(p, CHUNKED)}${(p.body.length + 1).toString(16)}\r\n${p.body}\r\n0\r\n\r\n`,
  'a chunk without its line end': (p) =>
    `${post(p, CHUNKED)}${p.body.length.toString(16)}\r\n${p.body}0\r\n\r\n`,
  'chunks between bare line feeds': (p) =>
    `${post(p, CHUNKED)}${chunk(p.body).replaceAll('\r\n', '\n')}0\n\n`,
  'an extension with a line feed': (p) =>
    `${post(p, CHUNKED)}${p.body.length.toString(16)};a\n${p.body}\r\n0\r\n\r\n`,
};

/** Not a request of HTTP/1.1. */
export const MALFORMED: Shapes = {
  'HTTP/0.9': (p) => `GET ${p.path}\r\n\r\n`,
  'HTTP/1.2': (p) => `GET /api/v1/me HTTP/1.2\r\n${p.head}\r\n`,
  'no version': (p) => `POST ${p.path}\r\n${p.head}${length(p.body)}\r\n\r\n${p.body}`,
  'the preface of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  'the hello of TLS': () => '\x16\x03\x01\0\xa5\x01\0\0\xa1\x03\x03\r\n\r\n',
  'the proxy protocol': (p) =>
    `PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET /api/v1/me HTTP/1.1\r\n${p.head}\r\n`,
  'bare line feeds': (p) =>
    `POST ${p.path} HTTP/1.1\n${p.head.replaceAll('\r\n', '\n')}${length(p.body)}\n\n${p.body}`,
  'bare carriage returns': (p) => `GET /api/v1/me HTTP/1.1\r${p.head.replaceAll('\r\n', '\r')}\r`,
  'no host': () => 'GET /api/v1/me HTTP/1.1\r\n\r\n',
  'a folded header': (p) => `GET /api/v1/me HTTP/1.1\r\n${p.head}X: a\r\n b\r\n\r\n`,
  'a header without a name': (p) => `GET /api/v1/me HTTP/1.1\r\n${p.head}: a\r\n\r\n`,
  'a header without a colon': (p) => `GET /api/v1/me HTTP/1.1\r\n${p.head}a\r\n\r\n`,
  'U+0000 in a header': (p) => `GET /api/v1/me HTTP/1.1\r\n${p.head}X: a\0b\r\n\r\n`,
  'a thousand headers': (p) => `GET /api/v1/me HTTP/1.1\r\n${p.head}${'a: b\r\n'.repeat(1_000)}\r\n`,
  'a header of a megabyte': (p) => `GET /api/v1/me HTTP/1.1\r\n${p.head}X: ${'x'.repeat(1_000_000)}\r\n\r\n`,
  'a header that never ends': () => `GET /api/v1/me HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`,
  'U+0000 in the path': (p) => `GET /api/v1/me\0 HTTP/1.1\r\n${p.head}\r\n`,
  'spaces in the line': (p) => `GET  /api/v1/me  HTTP/1.1\r\n${p.head}\r\n`,
  'no path': (p) => `GET HTTP/1.1\r\n${p.head}\r\n`,
  'a star': (p) => `OPTIONS * HTTP/1.1\r\n${p.head}\r\n`,
};

/** Unusual but unambiguous. The gateway may reject such a request, or accept it completely. */
export const UNUSUAL: Shapes = {
  'HTTP/1.0': (p) => `POST ${p.path} HTTP/1.0\r\n${p.head}${length(p.body)}\r\n\r\n${p.body}`,
  'empty lines before': (p) => `\r\n\r\n${post(p, length(p.body))}${p.body}`,
  'an empty line behind': (p) => `${post(p, length(p.body))}${p.body}\r\n`,
  'more behind the body': (p) => `${post(p, length(p.body))}${p.body}}}}`,
  'the same length twice': (p) => `${post(p, length(p.body), length(p.body))}${p.body}`,
  'zeros before a length': (p) => `${post(p, `Content-Length: 000${p.body.length}`)}${p.body}`,
  'chunked, in other letters': (p) => `${post(p, 'Transfer-Encoding: Chunked')}${chunk(p.body)}0\r\n\r\n`,
  'chunks with extensions': (p) =>
    `${post(p, CHUNKED)}${p.body.length.toString(16)};a=b;c="d"\r\n${p.body}\r\n0;e\r\n\r\n`,
  'zeros before a chunk': (p) => `${post(p, CHUNKED)}000${chunk(p.body)}000\r\n\r\n`,
  'a trailer': (p) => `${post(p, CHUNKED)}${chunk(p.body)}0\r\nX: y\r\n\r\n`,
  'a trailer that is a header of framing': (p) =>
    `${post(p, CHUNKED)}${chunk(p.body)}0\r\nContent-Length: 1\r\n\r\n`,
  'the absolute form': (p) => post(p, length(p.body)).replace(' /', ' http://other.example/') + p.body,
};
