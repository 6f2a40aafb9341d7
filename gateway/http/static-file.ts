/** Responses from memory, compressed beforehand, with an ETag: for what is the same for every client. */
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';

export interface StaticFile {
  type: string;
  tag: string;
  br: Buffer;
  gzip: Buffer;
  /** Made when a client accepts no compression. */
  identity?: Buffer;
}

/** @param type the content type */
export function staticFile(type: string, compressed: Record<'br' | 'gzip', Buffer>): StaticFile {
  return { type, tag: Bun.hash(compressed.gzip).toString(36), ...compressed };
}

/** At a quality that suits the start of a process: 2 ms for the API's description. */
export function compress(text: string): Record<'br' | 'gzip', Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return { br: brotliCompressSync(text, { params }), gzip: gzipSync(text) };
}

/**
 * 200 in an encoding that the client accepts, or 304 if it has the file.
 * @param vary the Vary header as it is so far
 */
export function fileResponse({ headers }: Request, file: StaticFile, vary: unknown): Response {
  const encoding = encodingFor(headers.get('accept-encoding') ?? '');
  // Each encoding is a representation with a tag of its own (RFC 9110).
  const etag = `"${file.tag}-${encoding}"`;
  // No `max-age`: after an update a browser must not run the old script in the new page.
  const cached = { etag, 'cache-control': 'no-cache', vary: `${vary ? `${vary}, ` : ''}Accept-Encoding` };
  if (isKnown(headers.get('if-none-match') ?? '', etag)) {
    return new Response(null, { status: 304, headers: cached });
  }
  if (encoding === 'identity') file.identity ??= gunzipSync(file.gzip);
  return new Response(file[encoding], {
    headers: {
      ...cached,
      'content-type': file.type,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    },
  });
}

function encodingFor(accepted: string) {
  const isAccepted = (name: string) =>
    accepted
      .split(',')
      .some((each) => new RegExp(`^${name}(?!;q=0(\\.0*)?$)`).test(each.replace(/\s/g, '').toLowerCase()));
  if (isAccepted('br')) return 'br';
  return isAccepted('gzip') ? 'gzip' : 'identity';
}

function isKnown(ifNoneMatch: string, etag: string): boolean {
  const known = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
