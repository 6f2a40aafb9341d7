/** Compares a value with a schema of the API's description. */
import { components } from '../typescript/openapi.json';
import type { Json } from './exchange.ts';

export const SCHEMAS: Record<string, Json> = components.schemas;

const VALUE_FORMATS: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
};

/**
 * Allows members that the schema does not name: a version of the API can add members.
 * @returns a sentence for each place where the value differs
 */
export function faultsOf(schema: string | Json, value: Json, path = ''): string[] {
  const wanted = typeof schema === 'string' ? SCHEMAS[schema] : schema;
  if (wanted.$ref) return faultsOf(wanted.$ref.split('/').at(-1), value, path);
  if (wanted.anyOf) {
    const each: string[][] = wanted.anyOf.map((one: Json) => faultsOf(one, value, path));
    return each.some((faults) => faults.length === 0) ? [] : (each[0] ?? []);
  }
  const isOfType = wanted.type === undefined || isOfJsonType(wanted.type, value);
  if (!isOfType) return [`${path || 'the body'} must be of type ${wanted.type}`];
  return [...boundsOf(wanted, value, path), ...membersOf(wanted, value, path)];
}

function isOfJsonType(type: string, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function boundsOf(wanted: Json, value: Json, path: string): string[] {
  const where = path || 'the body';
  const faults: string[] = [];
  if (wanted.enum && !wanted.enum.includes(value))
    faults.push(`${where} must be one of ${wanted.enum.join(', ')}`);
  if (value < wanted.minimum || value > wanted.maximum) faults.push(`${where} is out of range`);
  if (value?.length > wanted.maxItems) faults.push(`${where} must have at most ${wanted.maxItems} items`);
  const pattern = wanted.pattern ? new RegExp(wanted.pattern) : VALUE_FORMATS[wanted.format ?? ''];
  if (pattern && !pattern.test(value)) faults.push(`${where} must match ${wanted.format ?? wanted.pattern}`);
  return faults;
}

function membersOf(wanted: Json, value: Json, path: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      wanted.items ? faultsOf(wanted.items, item, `${path}/${index}`) : [],
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  const missing = (wanted.required ?? []).filter((name: string) => !(name in value));
  return [
    ...missing.map((name: string) => `${path}/${name} is missing`),
    ...Object.entries<Json>(wanted.properties ?? {}).flatMap(([name, schema]) =>
      name in value ? faultsOf(schema, value[name], `${path}/${name}`) : [],
    ),
  ];
}
