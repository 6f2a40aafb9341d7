/** The packages whose code is shipped: what the service runs with, and what is bundled into the clients and the pages. */
import { join } from 'node:path';
import { isThere, read } from '../fixtures/checkout.ts';
import { bundledPackages } from './bundled-packages.ts';

export interface ShippedPackage {
  name: string;
  version: string;
  /** What its manifest says, most often an SPDX expression; empty if it says nothing. */
  license: string;
  /** SHA-512 of its archive, in hexadecimal digits. */
  sha512: string;
}

interface Brought {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Lockfile {
  /** By path: names of packages, one in the folder of the other. */
  packages: Record<string, [resolved: string, registry: string, brings: Brought, integrity: string]>;
}

/** Those that are installed here: some are for other systems. */
export async function shippedPackages(): Promise<ShippedPackage[]> {
  const { packages } = Bun.JSONC.parse(read('bun.lock')) as Lockfile;
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const paths = new Set<string>();
  /** A package finds another one in its own folder, else in those above it. */
  const visit = (name: string, above: readonly string[]): void => {
    const path = [...above, name].join('/');
    const entry = packages[path];
    if (!entry) {
      if (above.length > 0) visit(name, above.slice(0, -1));
      return;
    }
    if (paths.has(path)) return;
    paths.add(path);
    const brings = { ...entry[2].dependencies, ...entry[2].optionalDependencies };
    for (const brought of Object.keys(brings)) visit(brought, [...above, name]);
  };
  for (const name of Object.keys(dependencies)) visit(name, []);
  for (const name of await bundledPackages()) paths.add(name);
  return [...paths].sort().flatMap((path): ShippedPackage[] => {
    const names = path.match(/(?:@[^/]+\/)?[^/]+/g) ?? [];
    const folder = join('node_modules', names.join('/node_modules/'));
    if (!isThere(folder)) return [];
    const { name, version, license } = JSON.parse(read(join(folder, 'package.json')));
    const integrity = packages[path]?.[3] ?? '';
    const sha512 = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
    return [{ name, version, license: license ?? '', sha512 }];
  });
}
