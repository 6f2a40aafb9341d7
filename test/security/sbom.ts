/**
 * `bun run sbom [FILE]`: writes what is shipped as a CycloneDX document, to the file or to standard output. The same packages give the
 * same document.
 */
import { writeFileSync } from 'node:fs';
import * as CycloneDx from '@cyclonedx/cyclonedx-library';
import parseLicence from 'spdx-expression-parse';
import { read } from '../fixtures/checkout.ts';
import { type ShippedPackage, shippedPackages } from './shipped-packages.ts';

const { Bom, Component, LicenseRepository, Metadata } = CycloneDx.Models;
const { ComponentType, HashAlgorithm } = CycloneDx.Enums;

export async function sbom(packages?: ShippedPackage[]): Promise<string> {
  const service = JSON.parse(read('package.json'));
  const licences = new CycloneDx.Contrib.License.Factories.LicenseFactory(parseLicence);
  const bom = new Bom({
    metadata: new Metadata({
      component: new Component(ComponentType.Application, service.name, {
        version: service.version,
        bomRef: service.name,
      }),
    }),
  });
  for (const { name, version, license, sha512 } of packages ?? (await shippedPackages())) {
    const component = new Component(ComponentType.Library, name, {
      version,
      bomRef: `${name}@${version}`,
      purl: `pkg:npm/${name.replace(/^@/, '%40')}@${version}`,
      licenses: new LicenseRepository([licences.makeFromString(license)]),
    });
    component.hashes.set(HashAlgorithm['SHA-512'], sha512);
    bom.components.add(component);
  }
  const factory = new CycloneDx.Serialize.JSON.Normalize.Factory(CycloneDx.Spec.Spec1dot6);
  return new CycloneDx.Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 });
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  const text = `${await sbom()}\n`;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
}
