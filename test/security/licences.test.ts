/** What is under which licence, and that nothing that is shipped forbids it. */
import { describe, expect, test } from 'bun:test';
import { globSync } from 'node:fs';
import parseLicence from 'spdx-expression-parse';
import { ROOT, read } from '../fixtures/checkout.ts';
import { send } from '../fixtures/client.ts';
import { sbom } from './sbom.ts';
import { shippedPackages } from './shipped-packages.ts';

const shipped = await shippedPackages();

/** They permit distribution in a work under another licence, on condition of a notice at most. */
const PERMISSIVE = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT'],
  'Unlicense',
]);

type Expression = ReturnType<typeof parseLicence>;

function isPermissive(expression: Expression): boolean {
  if ('license' in expression) return PERMISSIVE.has(expression.license) && !expression.exception;
  const { left, right, conjunction } = expression;
  if (conjunction === 'or') return isPermissive(left) || isPermissive(right);
  return isPermissive(left) && isPermissive(right);
}

describe('what integrators install and copy is under the Apache License 2.0:', () => {
  test.each(globSync('clients/*/package.json', { cwd: ROOT }))('%s', (file) => {
    expect(JSON.parse(read(file)).license).toBe('Apache-2.0');
  });

  test('the package for Python', () => {
    expect(Bun.TOML.parse(read('clients/python/pyproject.toml'))).toMatchObject({
      project: { license: 'Apache-2.0' },
    });
    expect(read('clients/python/LICENSE')).toBe(read('clients/LICENSE'));
  });

  test.each(globSync('clients/recipes/*/*', { cwd: ROOT }))('%s, at its head', (file) => {
    const head = read(file).split('\n').slice(0, 2).join('\n');
    expect(head).toContain('SPDX-License-Identifier: Apache-2.0');
  });

  test('the description of the API, and its page', async () => {
    const { body } = await send('/api/v1/openapi.json');
    expect(body.info.license).toEqual({ name: 'Apache License 2.0', identifier: 'Apache-2.0' });
    expect(body.info.description).toContain('under the Apache License 2.0');
  });

  test('with the text of the licence beside it, as its authors wrote it', () => {
    const hash = new Bun.CryptoHasher('sha256').update(read('clients/LICENSE')).digest('hex');
    expect(hash).toBe('c71d239df91726fc519c6eb72d318ec65820627232b2f796219e87dcf35d0ab4');
  });
});

test('the service is under no public licence, and the README says so', () => {
  expect(JSON.parse(read('package.json'))).toMatchObject({ private: true, license: 'UNLICENSED' });
  expect(read('README.md')).toMatch(/All other rights .* the service included, are reserved by its owner\./);
});

test('the licence of each shipped package permits it', () => {
  expect(isPermissive(parseLicence('(GPL-3.0-only OR MIT)'))).toBe(true);
  expect(isPermissive(parseLicence('MIT AND LGPL-3.0-only'))).toBe(false);
  expect(shipped.length).toBeGreaterThan(90);
  const others = shipped.filter(({ license }) => license === '' || !isPermissive(parseLicence(license)));
  expect(others).toEqual([]);
});

test('the bill of materials has each shipped package with its version, licence and hash, the same each time', async () => {
  const text = await sbom(shipped);
  const { bomFormat, specVersion, components } = JSON.parse(text);
  expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.6']);
  expect(components).toHaveLength(shipped.length);
  const nameOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;
  const names = components.map(nameOf);
  expect(names.sort()).toEqual(shipped.map(nameOf).sort());
  expect(names).toEqual(expect.arrayContaining([expect.stringMatching(/^preact@/)]));
  for (const { licenses, hashes, purl } of components) {
    expect(licenses).toHaveLength(1);
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    expect(purl).toStartWith('pkg:npm/');
  }
  expect(await sbom(shipped)).toBe(text);
});
