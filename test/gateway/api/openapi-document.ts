/** The description as a test looks at it: with its references resolved, its operations and schemas in hand. */
import { expect } from 'bun:test';
import { Compile } from 'typebox/compile';
import { type ApiResponse, type Json, send } from '../../fixtures/client.ts';

export interface OperationOf {
  method: string;
  path: string;
  operation: Json;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export async function fetchDescription(): Promise<Json> {
  const { body } = await send('/api/v1/openapi.json');
  return body;
}

/** @throws when `pointer` leads nowhere in the document */
function resolvePointer(document: Json, pointer: string): Json {
  if (!pointer.startsWith('#/')) throw new Error(`${pointer} does not point into the document`);
  let found = document;
  for (const step of pointer.slice(2).split('/')) {
    found = found?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (found === undefined) throw new Error(`${pointer} leads nowhere`);
  return found;
}

/** `node` with what each $ref points at in its place. The description has no recursive schemas. */
export function dereference(document: Json, node: Json = document): Json {
  if (Array.isArray(node)) return node.map((item) => dereference(document, item));
  if (typeof node !== 'object' || node === null) return node;
  if (typeof node.$ref === 'string') return dereference(document, resolvePointer(document, node.$ref));
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, dereference(document, value)]),
  );
}

export function operationsOf(document: Json): OperationOf[] {
  return Object.entries(document.paths as Json).flatMap(([path, item]) =>
    Object.entries(item as Json)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Every node of the document with the JSON pointer that leads to it, the document itself first. */
export function* nodesOf(node: Json, pointer = '#'): Generator<[pointer: string, node: Json]> {
  if (typeof node !== 'object' || node === null) return;
  yield [pointer, node];
  for (const [name, value] of Object.entries(node)) {
    yield* nodesOf(value, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
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

/** The description of a response in a document without references; undefined: it has none. */
export function responseOf(document: Json, method: string, path: string, status: number): Json {
  return document.paths[path][method.toLowerCase()].responses[status];
}

/** Fails unless the document has this response: its status, the schema of its body, its headers. */
export function expectDescribed(document: Json, method: string, path: string, response: ApiResponse): void {
  const described = responseOf(document, method, path, response.status);
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
