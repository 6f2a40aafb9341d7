/** The Kubernetes manifests, and their validation against the schemas of the API server. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-5';

const ROOT = join(import.meta.dir, '../..');
const DIRECTORY = join(ROOT, 'deploy/kubernetes');

// Untyped: the tests check it member by member.
export type Json = ReturnType<typeof JSON.parse>;

export interface Manifest {
  /** Relative to `deploy/kubernetes`. */
  file: string;
  /** `Deployment gateway` */
  title: string;
  content: Json;
}

const files = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .sort();

export const texts = Object.fromEntries(
  files.map((file) => [file, readFileSync(join(DIRECTORY, file), 'utf8')]),
);

const documents: Manifest[] = Object.entries(texts).flatMap(([file, text]) =>
  [Bun.YAML.parse(text) as Json]
    .flat()
    .map((content) => ({ file, title: `${content.kind} ${content.metadata?.name}`, content })),
);

export const kustomizations = documents.filter(({ content }) => content.kind === 'Kustomization');
export const manifests = documents.filter(({ content }) => content.kind !== 'Kustomization');

/** Validates a manifest against the schema of its kind; undefined: valid. */
export async function schemaFault(content: Json): Promise<string | undefined> {
  const { [content.kind]: Model } = await import(moduleOf(content));
  try {
    new Model(content).validate();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Type-checks manifests against the types of their kinds. This finds unknown members, which the schemas accept.
 */
export function typeFaults(contents: Json[]): string[] {
  const file = join(import.meta.dir, 'typed-manifests.ts');
  const source = contents.map(
    (content, n) =>
      `export const m${n}: import('${moduleOf(content)}').I${content.kind} = ${JSON.stringify(content)};`,
  );
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, source.join('\n'), version) : getSourceFile(name, version);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const moduleOf = ({ apiVersion, kind }: Json) => `kubernetes-models/${apiVersion}/${kind}`;
