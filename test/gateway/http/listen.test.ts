/** The address that the gateway logs is one that a client can use. */
import { expect, test } from 'bun:test';
import { networkInterfaces } from 'node:os';
import { Elysia } from 'elysia';
import pino from 'pino';
import { listen } from '../../../gateway/http/listen.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family }) => family === 'IPv6'),
);

const address = (hostname: string) =>
  test.skipIf(hostname.includes(':') && !hasIpv6)(`when it listens on ${hostname}`, async () => {
    const app = new Elysia().get('/', () => 'here');
    const options = { hostname, port: 0, certificates: undefined };
    const listener = await listen(app, options, pino({ level: 'silent' }));
    try {
      expect(await (await fetch(listener.url)).text()).toBe('here');
    } finally {
      await listener.stop();
    }
  });
['127.0.0.1', 'localhost', '::1', '::'].forEach(address);
