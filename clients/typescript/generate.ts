/**
 * Writes the types of the API from its description, and for both libraries the schemas by which they check responses.
 *
 *   bun clients/typescript/generate.ts            from openapi.json, the description as of the last update
 *   bun clients/typescript/generate.ts URL        from a running service; updates openapi.json
 *   bun clients/typescript/generate.ts --check    writes nothing; fails when a file differs from openapi.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plugin } from 'bun';
import typescript from 'typescript-5';

// openapi-typescript calls the API of TypeScript 5, which the package `typescript` does not have.
plugin({
  name: 'typescript-5',
  setup: (build) =>
    void build.module('typescript', () => ({ exports: { default: typescript }, loader: 'object' })),
});
const { default: openapiTypescript, astToString } = await import('openapi-typescript');

const DESCRIPTION = join(import.meta.dir, 'openapi.json');

export const descriptionText = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

/** @returns the text of each generated file, by its path */
export async function filesOf(description: string): Promise<Record<string, string>> {
  const schemas = JSON.stringify(responseSchemas(JSON.parse(description)), null, 2);
  const generated = 'enerated from the OpenAPI description by clients/typescript/generate.ts. Do not edit.';
  const types = astToString(await openapiTypescript(JSON.parse(description)));
  const python = join(import.meta.dir, '../python/src/bookkeeping_ledger');
  return {
    [join(import.meta.dir, 'api.generated.ts')]: `/** G${generated} */\n${types}`,
    [join(import.meta.dir, 'responses.generated.ts')]:
      `/** The schemas of responses, g${generated} */\nexport default ${schemas} as const;\n`,
    // The schemas contain neither true, false nor null, so their JSON is Python.
    [join(python, 'responses_generated.py')]:
      `"""The schemas of responses, g${generated}"""\n\nfrom typing import Any\n\nSCHEMAS: dict[str, Any] = ${schemas}\n`,
  };
}

interface Schema {
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
  $ref?: string;
}

interface Description {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, MediaType> }> }>
  >;
  components: { schemas: Record<string, Schema & { oneOf?: Schema[] }> };
}

interface MediaType {
  schema: Schema & { oneOf?: Schema[] };
}

/** The schemas that responses consist of: types, members and their presence. Formats and limits cannot break a program. */
function responseSchemas({ paths, components }: Description): Record<string, Schema> {
  const used: Record<string, Schema> = {};
  const strip = ({ $ref, type, enum: values, anyOf, items, required, properties }: Schema): Schema => {
    if ($ref) return { $ref: use($ref.replace('#/components/schemas/', '')) };
    if (anyOf) return { anyOf: anyOf.map(strip) };
    const members = Object.entries(properties ?? {}).map(([name, schema]) => [name, strip(schema)]);
    return {
      ...(type && { type }),
      ...(values && { enum: values }),
      ...(items && { items: strip(items) }),
      ...(required && { required }),
      ...(properties && { properties: Object.fromEntries(members) }),
    };
  };
  const use = (name: string): string => {
    const { [name]: schema = {} } = components.schemas;
    // A method that returns one of several asks for that one.
    if (schema.oneOf) schema.oneOf.forEach(strip);
    else if (!(name in used)) {
      used[name] = {};
      used[name] = strip(schema);
    }
    return name;
  };
  for (const { responses } of Object.values(paths).flatMap((path) => Object.values(path)))
    for (const { content } of Object.values(responses))
      if (content?.['application/json']) strip(content['application/json'].schema);
  return Object.fromEntries(Object.entries(used).sort(([one], [other]) => (one < other ? -1 : 1)));
}

if (import.meta.main) {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined && argument !== '--check') {
    const response = await fetch(new URL('/api/v1/openapi.json', argument));
    if (!response.ok) throw new Error(`${response.url} has status ${response.status}`);
    writeFileSync(DESCRIPTION, descriptionText((await response.json()) as object));
  }
  for (const [file, text] of Object.entries(await filesOf(readFileSync(DESCRIPTION, 'utf8')))) {
    if (argument !== '--check') writeFileSync(file, text);
    else if (text !== readFileSync(file, 'utf8')) {
      console.error(`${file} is stale: run \`bun run generate:client\`.`);
      process.exitCode = 1;
    }
  }
}
