/** Checks responses by the description: a member that is missing or of another type shows that another service has responded. */
import type { components } from './api.generated.ts';
import SCHEMAS from './responses.generated.ts';

/** @internal */
export type SchemaName = keyof typeof SCHEMAS;
/** @internal */
export type Resource<Name extends SchemaName> = components['schemas'][Name];

interface Schema {
  type?: string;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  $ref?: string;
}

/**
 * @returns the JSON pointer of the first wrong or missing member; undefined if there is none
 * @internal
 */
export const faultOf = (value: unknown, name: SchemaName): string | undefined =>
  fault(value, SCHEMAS[name], '');

function fault(value: unknown, schema: Schema, path: string): string | undefined {
  const { type, required = [], properties = {}, items, anyOf, enum: values, $ref } = schema;
  if ($ref) return fault(value, SCHEMAS[$ref as SchemaName], path);
  if (anyOf) return anyOf.some((each) => fault(value, each, path) === undefined) ? undefined : path;
  if (jsonTypeOf(value) !== type && !(type === 'number' && typeof value === 'number')) return path;
  if (values && !values.includes(value)) return path;
  if (items) return firstFault(value as unknown[], (item, index) => fault(item, items, `${path}/${index}`));
  return firstFault(Object.entries(properties), ([name, member]) => {
    const { [name]: found } = value as Record<string, unknown>;
    if (found === undefined) return required.includes(name) ? `${path}/${name}` : undefined;
    return fault(found, member, `${path}/${name}`);
  });
}

function firstFault<Item>(items: readonly Item[], of: (item: Item, index: number) => string | undefined) {
  for (const [index, item] of items.entries()) {
    const found = of(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The name of the value's type in JSON Schema; `integer` for whole numbers that are exact. */
function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isSafeInteger(value) ? 'integer' : typeof value;
}
