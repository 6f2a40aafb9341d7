/** Every endpoint that needs a key, each as a request that succeeds for the account that owns `source`. */
import { type Answer, entry, type RequestOptions, send, type TestAccount } from './client.ts';

export interface Endpoint {
  name: string;
  request(account: Pick<TestAccount, 'sources'>, key: string, options?: RequestOptions): Promise<Answer>;
}

type Source = TestAccount['sources']['uk-property'];

const endpoint = (
  name: string,
  path: (source: Source) => string,
  own: RequestOptions | (() => RequestOptions) = {},
): Endpoint => ({
  name,
  request(account, key, options = {}) {
    const { headers, ...rest } = typeof own === 'function' ? own() : own;
    return send(path(account.sources['uk-property']), {
      ...rest,
      ...options,
      headers: { ...bearer(key), ...headers, ...options.headers },
    });
  },
});

const transactionsOf = (source: Source) => `/api/v1/sources/${source}/transactions`;

export const ENDPOINTS: Endpoint[] = [
  endpoint('GET /me', () => '/api/v1/me'),
  endpoint('HEAD /me', () => '/api/v1/me', { method: 'HEAD' }),
  endpoint('GET /sources', () => '/api/v1/sources'),
  endpoint('GET /categories', () => '/api/v1/categories'),
  endpoint('GET /categories?sourceType', () => '/api/v1/categories?sourceType=self-employment'),
  endpoint('GET /sources/{id}/transactions', transactionsOf),
  endpoint('POST /sources/{id}/transactions', transactionsOf, () => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(entry()),
  })),
];

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** `count` requests of one key at once. */
export function many(count: number, key: string, options: RequestOptions = {}): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, () => send('/api/v1/me', { headers: bearer(key), ...options })),
  );
}

/** How many of the answers have each status. */
export function statuses(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** What an error is told apart by. A HEAD has no body, so its code is undefined. */
export const failure = ({ status, body }: Answer) => [status, body.error?.code];
