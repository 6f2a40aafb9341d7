/** The Kubernetes manifests, and their validation against the types of the API server. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyCheckout, ROOT, runToEnd, temporaryDirectory } from '../fixtures/checkout.ts';

const DIRECTORY = join(ROOT, 'deploy/kubernetes');

// Untyped: the tests check it member by member.
export type Json = ReturnType<typeof JSON.parse>;

const files = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .sort();

export const texts = Object.fromEntries(
  files.map((file) => [file, readFileSync(join(DIRECTORY, file), 'utf8')]),
);

const documents = Object.entries(texts).flatMap(([file, text]) =>
  [Bun.YAML.parse(text)].flat().map((content: Json) => ({ file, content })),
);

export const kustomizations = documents.filter(({ content }) => content.kind === 'Kustomization');
export const manifests = documents
  .map(({ content }) => content)
  .filter(({ kind }) => kind !== 'Kustomization');

export const ofKind = (kind: string): Record<string, Json> =>
  Object.fromEntries(
    manifests.filter((manifest) => manifest.kind === kind).map((each) => [each.metadata.name, each]),
  );

/** Type-checks manifests against the types of their kinds. @returns the errors of the compiler */
export async function typeFaults(contents: Json[]): Promise<string[]> {
  const source = contents.map((content, n) => {
    const { apiVersion, kind } = content;
    return `export const m${n}: import('kubernetes-models/${apiVersion}/${kind}').I${kind} = ${JSON.stringify(content)};`;
  });
  const folder = temporaryDirectory();
  copyCheckout(folder, []);
  writeFileSync(join(folder, 'typed.ts'), source.join('\n'));
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, types: [], module: 'preserve' };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
  const tsc = ['node_modules/.bin/tsc', '--project', folder, '--pretty', 'false'];
  const { out } = await runToEnd([process.execPath, ...tsc]);
  return out.split('\n').filter((line) => line.includes('error TS'));
}
