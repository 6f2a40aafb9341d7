/** The description as a test looks at it: with its references resolved, its operations and schemas in hand. */
import { expect } from 'bun:test';
import { Compile } from 'typebox/compile';
import { type ApiResponse, type Json, send } from '../../fixtures/client.ts';

export async function fetchDescription(): Promise<Json> {
  const { body } = await send('/api/v1/openapi.json');
  return body;
}

/** `node` with what each $ref points at in its place. The description has no recursive schemas. */
export function dereference(document: Json, node: Json = document): Json {
  if (Array.isArray(node)) return node.map((item) => dereference(document, item));
  if (typeof node !== 'object' || node === null) return node;
  if (typeof node.$ref === 'string') {
    const [, kind, name] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(node.$ref) ?? [];
    return dereference(document, document.components[`${kind}`][`${name}`]);
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, dereference(document, value)]),
  );
}

export function operationsOf(document: Json) {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Every node of the document with the names that lead to it, the document itself first. */
export function* nodesOf(node: Json, path = '#'): Generator<[path: string, node: Json]> {
  if (typeof node !== 'object' || node === null) return;
  yield [path, node];
  for (const [name, value] of Object.entries(node)) yield* nodesOf(value, `${path}/${name}`);
}

/** What is wrong with `value` as an instance of a schema without references: one line for each fault. */
export function faults(schema: Json, value: unknown): string[] {
  const validator = Compile(schema);
  if (validator.Check(value)) return [];
  return validator.Errors(value).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The schema with every object closed to members that it does not name. */
export function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return schema.type === 'object' ? { ...inner, additionalProperties: false } : inner;
}

/** Fails unless the document has this response: its status, the schema of its body, its headers. */
export function expectDescribed(document: Json, method: string, path: string, response: ApiResponse): void {
  const described = document.paths[path][method.toLowerCase()].responses[response.status];
  expect(described, `${method} ${path} ${response.status} is in the description`).toBeObject();
  const { schema } = described.content['application/json'];
  expect(response.headers.get('content-type')).toStartWith('application/json');
  // Closed: a member that the description does not name is a fault as well.
  expect(faults(closed(schema), response.body)).toEqual([]);
  for (const [name, header] of Object.entries<Json>(described.headers)) {
    const text = response.headers.get(name);
    expect(text, `${name} is sent`).not.toBeNull();
    expect(faults(header.schema, header.schema.type === 'integer' ? Number(text) : text)).toEqual([]);
  }
}
