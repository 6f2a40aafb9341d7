/** Responses from memory, compressed beforehand, with an ETag: for what is the same for every client. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';

type Compressed = Record<'br' | 'gzip', Buffer>;

export interface StaticFile extends Compressed {
  /** Of each response: Content-Type, Cache-Control and others. */
  headers: Record<string, string>;
  tag: string;
  /** Made when a client accepts no compression. */
  identity?: Buffer;
}

export function staticFile(headers: Record<string, string>, compressed: Compressed): StaticFile {
  return { headers, tag: Bun.hash(compressed.gzip).toString(36), ...compressed };
}

/** What a build step has written as `path`.br and `path`.gz. @throws Error when it is not there */
export function readCompressed(path: string): Compressed {
  return { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) };
}

/** At a quality that suits the start of a process: 2 ms for the API's description. */
export function compress(text: string): Compressed {
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
  const all = { ...file.headers, etag, vary: `${vary ? `${vary}, ` : ''}Accept-Encoding` };
  if (isKnown(headers.get('if-none-match') ?? '', etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  if (encoding === 'identity') file.identity ??= gunzipSync(file.gzip);
  return new Response(file[encoding], {
    headers: { ...all, ...(encoding !== 'identity' && { 'content-encoding': encoding }) },
  });
}

function encodingFor(accepted: string): 'br' | 'gzip' | 'identity' {
  const weights = new Map(
    accepted
      .replace(/\s/g, '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', weight] = part.split(';q=');
        return [name, Number(weight ?? 1)];
      }),
  );
  const isAccepted = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  if (isAccepted('br')) return 'br';
  return isAccepted('gzip') ? 'gzip' : 'identity';
}

function isKnown(ifNoneMatch: string, etag: string): boolean {
  const known = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
