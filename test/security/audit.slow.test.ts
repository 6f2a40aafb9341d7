/** The audit of the dependencies passes or fails rightly, whatever the registry returns. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';

setDefaultTimeout(30_000);

const ROOT = join(import.meta.dir, '../..');
const AUDIT = join(import.meta.dir, 'audit.ts');

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

async function audit(registered: Advisories, { url = registry.url.href, options = [] as string[] } = {}) {
  advisories = registered;
  const child = Bun.spawn([process.execPath, AUDIT, ...options], {
    cwd: ROOT,
    env: { ...process.env, BUN_CONFIG_REGISTRY: url },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, err };
}

/** Like a registry: advisories only for requested packages. */
const advisory =
  (severity: string, ...names: string[]): Advisories =>
  (requested) => {
    const found = { id: 1, url: 'https://example.org/1', title: 'A hole', vulnerable_versions: '<99.0.0' };
    const of = names.filter((name) => name in requested).map((name) => [name, [{ ...found, severity }]]);
    return Response.json(Object.fromEntries(of));
  };

test('without an advisory it passes, after a request for every package that is shipped', async () => {
  const manifest = await Bun.file(join(ROOT, 'package.json')).json();
  const dependencies: Record<string, string> = manifest.dependencies;
  let requested: Record<string, string[]> = {};
  const { exitCode, out } = await audit((packages) => {
    requested = packages;
    return Response.json({});
  });
  expect([exitCode, out]).toEqual([0, 'audited: 0 of moderate severity or above\n']);
  for (const [name, version] of Object.entries(dependencies)) expect(requested[name]).toContain(version);
  expect(Object.keys(requested).length).toBeGreaterThan(Object.keys(dependencies).length);
});

test.each([
  ['moderate', 1],
  ['unheard-of', 1],
  ['low', 0],
])('an advisory of %s severity against what is shipped is named: exit code %d', async (severity, code) => {
  const { exitCode, out } = await audit(advisory(severity, 'elysia'));
  expect(exitCode).toBe(code);
  expect(out).toContain(`${severity}: elysia <99.0.0: A hole (https://example.org/1)\n`);
  expect(out).toContain(`audited: ${code} of moderate severity or above`);
});

test('a package that something shipped brings is shipped too; one for development is not', async () => {
  expect((await audit(advisory('high', 'protobufjs'))).exitCode).toBe(1);
  expect((await audit(advisory('critical', 'typescript'))).exitCode).toBe(0);
});

test('packages that are bundled are shipped too', async () => {
  // Of the import page, of the library, of the command (also in `dependencies`), of the docs page, and one that a bundled one brings.
  const bundled = ['preact', 'papaparse', 'commander', '@scalar/fastify-api-reference', 'fflate'];
  const { exitCode, out } = await audit(advisory('high', ...bundled));
  expect(exitCode).toBe(1);
  for (const name of bundled) expect(out.split(`high: ${name} <99.0.0: A hole`)).toHaveLength(2);
  expect(out.match(/A hole/g)).toHaveLength(bundled.length);
});

test('each package that the code of a client imports is in a bundle', async () => {
  const bundled = await bundledPackages();
  const files = [...new Bun.Glob('clients/{typescript,cli,web}/**/*.{ts,tsx}').scanSync(ROOT)].filter(
    (file) => !/\/(build|generate)\.ts$|\/dist\/|\.d\.ts$/.test(file),
  );
  const scanner = new Bun.Transpiler({ loader: 'tsx' });
  const imported = files.flatMap((file) =>
    scanner.scanImports(readFileSync(join(ROOT, file), 'utf8').replace(/^#!.*/, '')),
  );
  const packages = imported
    .map(({ path }) => /^(?!node:|bun:)((?:@[^/]+\/)?[^./][^/]*)/.exec(path)?.[1])
    // The scanner adds React to files with JSX.
    .filter((name = 'react') => name !== 'react');
  expect(packages.length).toBeGreaterThan(10);
  expect(packages.filter((name = '') => !bundled.has(name))).toEqual([]);
});

const NOT_AUDITED: [what: string, response: Advisories, url: string][] = [
  ['404', () => new Response('no', { status: 404 }), registry.url.href],
  ['405', () => new Response('no', { status: 405 }), registry.url.href],
  ['refused', () => Response.json({}), 'http://127.0.0.1:1/'],
  ['unknown', () => Response.json({}), 'http://registry.invalid/'],
];

test.each(NOT_AUDITED)(
  'where the registry has no advisories or is unavailable (%s), it fails; with --where-possible it says so and passes',
  async (_, response, url) => {
    const runs = [[], ['--where-possible']].map((options) => audit(response, { url, options }));
    const said = { out: '', err: 'not audited: the registry offers no advisories\n' };
    expect(await Promise.all(runs)).toEqual([
      { exitCode: 1, ...said },
      { exitCode: 0, ...said },
    ]);
  },
);

const BROKEN: [what: string, response: Advisories][] = [
  ['401', () => new Response('no', { status: 401 })],
  ['500', () => new Response('no', { status: 500 })],
  ['a page', () => new Response('<html>405</html>')],
  ['nothing', () => new Response('')],
  ['half a response', () => new Response('{"elysia":[{"id":1')],
  ['a text that no registry sends', () => new Response('error: POST /advisories/bulk - 405\n')],
];

test.each(BROKEN)('an invalid response fails it: %s', async (_, broken) => {
  const { exitCode, out, err } = await audit(broken, { options: ['--where-possible'] });
  expect(exitCode).toBe(1);
  expect(out).not.toContain('audited');
  expect(err).toMatch(/\S/);
});
