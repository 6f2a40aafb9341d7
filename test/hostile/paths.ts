/** Generates unusual methods and paths. */
import fc from 'fast-check';
import { anyTransport } from './generators.ts';
import { asBytes, type HttpRequest, USUAL_HEADERS } from './request.ts';
import { hostileText } from './texts.ts';
import { anyMember, type World } from './world.ts';

const BUNS_METHODS = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY'.split(' ');
// Bun closes the connection for an unknown method.
const METHODS_BEYOND_BUN = ['get', 'Post', 'FOO', 'GETT', 'G', 'POST1', 'X'.repeat(1_000)];

/** A request with any method to an existing path, or to one that differs a little. */
export function anyPath(world: World): fc.Arbitrary<HttpRequest> {
  return fc
    .record({
      by: anyMember(world),
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...BUNS_METHODS) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS_BEYOND_BUN) },
      ),
      path: fc.nat({ max: 20 }),
      changes: fc.array(anyPathChange, { maxLength: 2 }),
      body: fc.option(fc.constantFrom('{}', '[]', '{', 'x'), { nil: undefined }),
      transport: anyTransport,
    })
    .map(({ by, method, path, changes, body, transport }): HttpRequest => {
      const [own, theirs] = [world.member(by), world.member(by + 1)].map(({ account }) => account.sources);
      const sources = [own?.['uk-property'], theirs?.['uk-property'], own?.['self-employment']];
      const paths = [...PATHS, ...sources.map((id) => `/api/v1/sources/${id}/transactions`)];
      const target = changes.reduce((text, change) => change(text), paths[path % paths.length] ?? '/');
      return {
        kind: 'request',
        by,
        method,
        target: asBytes(target),
        headers: USUAL_HEADERS,
        ...(body !== undefined && { body: Buffer.from(body) }),
        transport,
        outcomes: 'any',
        beyondBun: METHODS_BEYOND_BUN.includes(method) || target.length > 8_000 || !target.startsWith('/'),
      };
    });
}

const PATHS = [
  ...['me', 'sources', 'categories', 'openapi.json', 'docs', 'docs/scalar.js'].map(
    (path) => `/api/v1/${path}`,
  ),
  ...['/healthz', '/readyz', '/', '/api/v1', '/api/v1/sources/x', '/api/v1/sources//transactions'],
  ...['/ledger.v1.Admin/CreateKey', '/.env', '/api/v2/me'],
];

type PathChange = (path: string) => string;

const replacing = (what: string | RegExp, by: string): PathChange => {
  return (path) => path.replace(what, () => by);
};

const appending =
  (end: string): PathChange =>
  (path) =>
    path + end;

const anyPathChange: fc.Arbitrary<PathChange> = fc.oneof(
  fc.constantFrom<PathChange>(
    ...['%2f', '%5c', '\\', '//', '/./', '/%2e/', '/../', '/%2e%2e/', '/x/../', ';/', '/%00/'].map((by) =>
      replacing(/\/(?=[^/]*$)/, by),
    ),
    ...['/', '//', '/.', '/..', '%00', '%', '%zz', '%c0%af', '%ff', '%u0041', ';a=b', '.json'].map(appending),
    ...['%20', '%0d%0aX:%20y', '#x', '?', '??', '/*', ':id', '~', '%2561', 'é', '%F0%9F%8F%A0'].map(
      appending,
    ),
    (path) => path.toUpperCase(),
    (path) => path.replace('/api', '/API'),
    (path) => path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    (path) => `http://other.example${path}`,
    (path) => `HTTPS://user:pass@[::1]:1${path}`,
    (path) => path.slice(1),
    (path) => `/${path}`,
    (path) => `/.${path}`,
    (path) => `/api/v1/docs/..%2f..%2f..${path}`,
    (path) => `/api/v1/docs/../../../../../../etc/passwd${path}`,
    (path) => path + '/a'.repeat(2_000),
    (path) => path + 'a'.repeat(7_000),
    (path) => path + 'a'.repeat(20_000),
    (path) => path.replace(/[0-9a-f]{8}-/, (part) => part.toUpperCase()),
    (path) => path.replace(/[0-9a-f]-/, '-'),
    (path) => path.replaceAll('-', ''),
    (path) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{$&}'),
  ),
  hostileText.map(
    (text): PathChange =>
      (path) =>
        `${path}/${encodeURIComponent(text.toWellFormed())}`,
  ),
  hostileText.map((text) => replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, encodeURIComponent(text.toWellFormed()))),
);
