/** The audit of the dependencies passes or fails rightly, whatever the registry returns. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { runToEnd } from '../fixtures/checkout.ts';

setDefaultTimeout(60_000);

/** The registry's response to a request for the advisories of these packages. */
type Advisories = (requested: Record<string, string[]>) => Response;

let advisories: Advisories;
const registry = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = Bun.gunzipSync(new Uint8Array(await request.arrayBuffer()));
    return advisories(JSON.parse(new TextDecoder().decode(body)));
  },
});
afterAll(() => registry.stop(true));

async function audit(registered: Advisories, options: string[] = []) {
  advisories = registered;
  const env = { ...process.env, BUN_CONFIG_REGISTRY: registry.url.href };
  return runToEnd([process.execPath, 'test/security/audit.ts', ...options], { env });
}

// A dependency, what one of them brings, one that is bundled, and what such a one brings.
const SHIPPED = ['elysia', '@js-sdsl/ordered-map', 'preact', 'fflate'];

test.each([
  ['moderate or unheard-of', 1],
  ['low', 0],
])('an advisory of %s severity against what is shipped is named: exit code %d', async (each, code) => {
  const severities = each.split(' or ');
  const severityOf = (name: string) => severities[SHIPPED.indexOf(name) % severities.length];
  const found = { id: 1, url: 'https://example.org/1', title: 'A hole', vulnerable_versions: '<99.0.0' };
  const { exitCode, out } = await audit((requested) => {
    const names = [...SHIPPED, 'typescript'].filter((name) => name in requested);
    const advisory = (name: string) => [name, [{ ...found, severity: severityOf(name) }]];
    return Response.json(Object.fromEntries(names.map(advisory)));
  });
  expect(exitCode).toBe(code);
  for (const name of SHIPPED) {
    expect(out).toContain(`${severityOf(name)}: ${name} <99.0.0: A hole (https://example.org/1)\n`);
  }
  expect(out).not.toContain('typescript');
  expect(out).toContain(`audited: ${code * SHIPPED.length} of moderate severity or above`);
});

test.each<[what: string, response: Advisories, code: number]>([
  ['no advisories', () => new Response('no', { status: 404 }), 0],
  ['an error', () => new Response('no', { status: 500 }), 1],
  ['half a response', () => new Response('{"elysia":[{"id":1'), 1],
])('a registry with %s fails it, or passes it with --where-possible', async (_, response, code) => {
  for (const [options, expected] of [
    [[], 1],
    [['--where-possible'], code],
  ] as const) {
    const { exitCode, out, err } = await audit(response, [...options]);
    expect([exitCode, out]).toEqual([expected, '']);
    expect(err).toMatch(/\S/);
  }
});
