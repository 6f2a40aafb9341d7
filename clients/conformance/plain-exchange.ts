/** A request that fetch cannot send: with a Host of its own, or with a body that does not arrive. */
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { type Exchange, NoResponse, parsed } from './exchange.ts';

export interface PlainOptions {
  method?: string;
  headers: Record<string, string>;
  /** Sends one space of a body each second for 25 seconds, and no end. */
  isSlow?: boolean;
}

/** On a connection of its own. @throws NoResponse */
export function plainExchange(
  { rule, account }: Pick<Exchange, 'rule' | 'account'>,
  { url, key }: { url: string; key: string },
  path: string,
  { method = 'GET', headers, isSlow = false }: PlainOptions,
): Promise<Exchange> {
  const request = { method, path, headers, body: isSlow ? '(one space a second)' : '' };
  const sentAt = Date.now();
  const { protocol, hostname: servername } = new URL(url);
  const send = protocol === 'https:' ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    let slowly: ReturnType<typeof setInterval> | undefined;
    const fail = (error: unknown) => {
      clearInterval(slowly);
      reject(new NoResponse(request, error));
    };
    const all = { authorization: `Bearer ${key}`, ...headers };
    const sending = send(url + path, { method, headers: all, agent: false, servername }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', fail);
      response.on('end', () => {
        const received = new Headers();
        for (const [name, value] of Object.entries(response.headers)) received.set(name, `${value}`);
        const outcome = { status: response.statusCode ?? 0, headers: received, body: parsed(text, received) };
        resolve({ rule, account, request, sentAt, receivedAt: Date.now(), ...outcome });
        clearInterval(slowly);
        sending.destroy();
      });
    });
    sending.on('error', fail);
    if (!isSlow) return sending.end();
    slowly = setInterval(() => sending.write(' '), 1_000);
    // A byte that arrives after the response resets the connection, and the response may be lost.
    setTimeout(() => clearInterval(slowly), 25_000);
  });
}
