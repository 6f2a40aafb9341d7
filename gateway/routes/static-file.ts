/** Responses that are the same for every client, with an ETag. No connection has a copy: large files are sent from disk. */
import { existsSync, readFileSync } from 'node:fs';
import { ApiError } from '../api/errors.ts';
import { acceptsGzip, varyByEncoding } from '../http/content-coding.ts';

/** At least one representation. A file of a build step exists only compressed. */
export interface StaticFile {
  /** The headers of each response: Content-Type, Cache-Control and others. */
  headers: Record<string, string>;
  tag: string;
  gzip?: Blob;
  identity?: Blob;
  /** The file with `gzip`, if not in memory. */
  path?: string;
}

type Headers = StaticFile['headers'];

/** The file that a build step has written as `path`.gz. @throws Error when it is missing */
export function compressedFile(path: string, headers: Headers): StaticFile {
  const name = `${path}.gz`;
  // Bun sends a file with sendfile: the kernel holds pages of its cache, not copies, for clients that are slow to read.
  return { headers, tag: tagOf(readFileSync(name)), gzip: Bun.file(name), path: name };
}

/** A text for any client, whether it accepts gzip or not. */
export function textFile(text: string, headers: Headers): StaticFile {
  // Responses share the memory of a Blob.
  return { headers, tag: tagOf(text), gzip: new Blob([Bun.gzipSync(text)]), identity: new Blob([text]) };
}

/**
 * The headers of a page for browsers, which load nothing by default, send no form and frame no page.
 * @param sources the rest of its Content-Security-Policy
 */
export const pageHeaders = (...sources: string[]): Headers => ({
  'content-security-policy': `default-src 'none'; ${sources.join('; ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
});

/** The source of an inline script or style in a Content-Security-Policy. */
export const hashSource = (text: string) => `'sha256-${Bun.CryptoHasher.hash('sha256', text, 'base64')}'`;

const tagOf = (content: string | Uint8Array) => Bun.hash(content).toString(36);

/**
 * 200 in an encoding that the client accepts, or 304 if it has the file.
 * @param vary the Vary header as it is so far
 * @throws ApiError invalid_request if the file exists only compressed, and the client does not accept that; not_found if a build
 *   has removed it since the start
 */
export function fileResponse({ headers }: Request, file: StaticFile, vary: unknown): Response {
  const accepted = headers.get('accept-encoding');
  const encoding = encodingFor(file, accepted);
  // Each encoding is a representation with a tag of its own (RFC 9110).
  const etag = `"${file.tag}-${encoding}"`;
  const all = { ...file.headers, etag, vary: varyByEncoding(vary) };
  if (isKnown(headers.get('if-none-match') ?? '', etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  if (file.path !== undefined && !existsSync(file.path)) {
    throw new ApiError(
      'not_found',
      'The file has been built again since the gateway was started: restart it.',
    );
  }
  return new Response(file[encoding], {
    headers: { ...all, ...(encoding === 'gzip' && { 'content-encoding': 'gzip' }) },
  });
}

/** A client that does not send the header accepts any encoding (RFC 9110, section 12.5.3), but not every one decodes it. */
function encodingFor({ gzip, identity }: StaticFile, accepted: string | null): 'gzip' | 'identity' {
  if (gzip && acceptsGzip(accepted)) return 'gzip';
  if (identity) return 'identity';
  if (accepted === null) return 'gzip';
  throw new ApiError('invalid_request', 'This file exists only compressed: send `Accept-Encoding: gzip`.');
}

function isKnown(ifNoneMatch: string, etag: string): boolean {
  const known = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
