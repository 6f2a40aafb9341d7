/**
 * Responses to a read that do not come from the service, for the command, the page and the assistants. test/clients/python/read-rules.ts has
 * them for the libraries. Tests wait for attempts most of their time, and so run at once.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { openSession } from '../../clients/web/key/session.ts';
import { atOnce } from '../fixtures/at-once.ts';
import { TestAccount } from '../fixtures/client.ts';
import { runLedger } from './cli/command.ts';
import { startAssistant } from './mcp/assistant.ts';
import { type Action, startProxy } from './proxy.ts';
import { failure } from './python/rules.ts';

setDefaultTimeout(60_000);

const HTML = { headers: { 'content-type': 'text/html' }, body: '<html>' };
const BOMB = Bun.gzipSync(new Uint8Array(64 * 1024 * 1024));

/** The response to each request for the sources, and the message of each client; undefined: it has the sources. */
const RESPONSES: [name: string, response: Action, said: string | undefined][] = [
  ['the JSON of another service', { status: 200, body: '{"status":"ok"}' }, '/sources is missing or wrong'],
  ['a member that is null', { status: 200, body: '{"sources":null}' }, '/sources is missing or wrong'],
  ['a web page', { status: 200, ...HTML }, 'not JSON'],
  [
    '64 MiB, compressed',
    { status: 200, headers: { 'content-encoding': 'gzip' }, body: BOMB },
    'more than 16777216 bytes',
  ],
  ['a 407 of a proxy', { status: 407, ...HTML }, 'asks for a user name and a password'],
  ['a 408 of a proxy, again and again', { status: 408, ...HTML }, 'did not get the request in time'],
  ['a 413 of a proxy', { status: 413, ...HTML }, 'accepts no request of this size'],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://other.example/' }, body: '' },
    'redirects to https://other.example',
  ],
  [
    'a wait of a day',
    failure(429, 'rate_limited', {}, { 'retry-after': '100000' }),
    'rate_limited|this minute',
  ],
  ['Early Hints before it', { status: 200, body: '{"sources":[]}', hasHints: true }, undefined],
];

interface Service {
  url: string;
  key: string;
}

/** Each client reads the sources. @returns what it says if it cannot */
const CLIENTS: Record<string, (service: Service) => Promise<string | undefined>> = {
  async 'the command'({ url, key }) {
    const { exitCode, err } = await runLedger(['sources'], { env: { LEDGER_URL: url, LEDGER_API_KEY: key } });
    return exitCode === 0 ? undefined : err;
  },
  'the page': ({ url, key }) =>
    openSession(url, key).then(
      () => undefined,
      ({ code, message }) => `${code} ${message}`,
    ),
  async 'the assistants'({ url, key }) {
    await using assistant = await startAssistant(key, { env: { LEDGER_URL: url } });
    const { isError, value } = await assistant.call('list_sources');
    return isError ? value : undefined;
  },
};

const { key } = await TestAccount.create();

describe.each(Object.entries(CLIENTS))('%s:', (_, read) => {
  test.concurrent.each(RESPONSES)(
    'the response to a read is %s',
    atOnce(async (_name, response, said) => {
      await using proxy = await startProxy(({ path }) => (path === '/api/v1/sources' ? response : 'pass'));
      const text = await read({ url: proxy.url, key });
      if (said === undefined) expect(text).toBeUndefined();
      else expect(text).toMatch(new RegExp(said));
      expect(proxy.requests.filter(({ path }) => path === '/api/v1/sources').length).toBeGreaterThan(0);
    }),
  );
});
