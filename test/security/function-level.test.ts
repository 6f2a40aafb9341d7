/** API5: through the gateway's port there is the API of a key's owner, and neither an operator's nor the worker's. */
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { basename, join } from 'node:path';
import { read } from '../fixtures/checkout.ts';
import { system } from '../fixtures/system.ts';
import { requestText, sendBytes } from '../fixtures/wire.ts';

test('the port speaks no HTTP/2: neither by the preface nor by an upgrade', async () => {
  const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0';
  expect(await sendBytes(preface)).toStartWith('HTTP/1.1 400 ');

  const upgrade = [
    'Connection: close, Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAAAA',
  ];
  for (const path of ['/api/v1/me', '/ledger.v1.Admin/CreateKey']) {
    expect(await sendBytes(requestText(`GET ${path}`, upgrade))).toMatch(/^HTTP\/1\.1 40[14] /);
  }

  const session = connect(system.url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  session.on('error', () => resolve());
  session
    .request({ ':path': '/ledger.v1.Admin/CreateKey', ':method': 'POST' })
    .on('error', () => {})
    .on('response', reject);
  await promise;
  session.destroy();
});

test('the gateway has no code that calls the Admin service', () => {
  const folder = join(import.meta.dir, '../../gateway');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  expect(files.map((file) => basename(file))).toContain('client.ts');
  const callers = files.filter((file) =>
    /\bcreateAdminClient\b|\bAdminService\b/.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(callers).toEqual([]);
});

interface Compose {
  services: Record<string, { ports?: string[]; network_mode?: string; environment?: Record<string, string> }>;
}

test('compose.yaml publishes only the load balancer, on the loopback', () => {
  const text = read('compose.yaml');
  const { services } = Bun.YAML.parse(text) as Compose;
  expect(Object.keys(services)).toContain('ledger-worker');
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => [name, port]),
  );
  expect(published).toEqual([['proxy', '127.0.0.1:3000:8080']]);
  for (const { network_mode, environment } of Object.values(services)) {
    expect([network_mode, environment?.ADMIN_ADDRESS]).toEqual([undefined, undefined]);
  }
});
