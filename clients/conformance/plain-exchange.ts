/** Sends requests that fetch cannot send: with another Host, or with a body that never arrives. */
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { type Exchange, NoResponse, parsedJson, type Target } from './exchange.ts';

export interface PlainOptions {
  method?: string;
  headers: Record<string, string>;
  /** Sends the headers without the body that they declare. */
  isSilent?: boolean;
}

/** On a connection of its own. @throws NoResponse */
export function plainExchange(
  { rule, account }: Pick<Exchange, 'rule' | 'account'>,
  { url, key, timeoutMs, clock }: Target,
  path: string,
  { method = 'GET', headers, isSilent = false }: PlainOptions,
): Promise<Exchange> {
  const request = { method, path, headers, body: isSilent ? '(nothing)' : '' };
  const sentAt = clock.now();
  const { protocol, hostname: servername } = new URL(url);
  const send = protocol === 'https:' ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(new NoResponse(request, error));
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
        const outcome = {
          status: response.statusCode ?? 0,
          headers: received,
          body: parsedJson(text, received),
        };
        resolve({ rule, account, request, sentAt, receivedAt: clock.now(), ...outcome });
        sending.destroy();
      });
    });
    sending.on('error', fail);
    sending.setTimeout(timeoutMs, () => sending.destroy(new Error('The operation timed out.')));
    if (isSilent) sending.flushHeaders();
    else sending.end();
  });
}
