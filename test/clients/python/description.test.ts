/** The types of the Python package are those of the description. Needs no Python: the generator is not everywhere. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CLIENTS = join(import.meta.dir, '../../../clients');
const read = (file: string) => readFileSync(join(CLIENTS, file), 'utf8');

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
  anyOf?: Schema[];
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
}

const SIMPLE = new Map(
  Object.entries({ string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }),
);

/** The type in Python. `className` is that of an object within the property. */
function typeOf(schema: Schema, className: string): string {
  const literals = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (literals)
    return `Literal[${literals.map((each) => (each === false ? 'False' : `"${each}"`)).join(',')}]`;
  if (schema.$ref) return schema.$ref.replace(/.*\//, '');
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, className)).join('|');
  if (schema.type === 'array') return `list[${typeOf(schema.items ?? {}, className)}]`;
  return SIMPLE.get(schema.type ?? '') ?? className;
}

type Members = Record<string, Record<string, string>>;

/** The members of each object of the description, by the name of its class. */
function described(description: string): Members {
  const members: Members = {};
  const visit = (name: string, { properties, required = [] }: Schema) => {
    if (!properties) return;
    members[name] = {};
    for (const [member, schema] of Object.entries(properties)) {
      const inner = name + member.replace(/^./, (first) => first.toUpperCase());
      const type = typeOf(schema, inner);
      members[name][member] = required.includes(member) ? type : `NotRequired[${type}]`;
      visit(inner, schema);
    }
  };
  const { schemas } = JSON.parse(description).components as { schemas: Record<string, Schema> };
  for (const [name, schema] of Object.entries(schemas)) visit(name, schema);
  return members;
}

/** The members of each class of the module. */
function written(module: string): Members {
  const code = module.replace(/^ *""".*?"""$/gms, '');
  const members: Members = {};
  for (const block of code.split(/^(?=\w)/m)) {
    const name = /^class (\w+)\(TypedDict\)|^(\w+) = TypedDict\(/.exec(block)?.slice(1).find(Boolean);
    if (name === undefined) continue;
    const lines = block.split(/\n(?= {4}\w+: | {8}"[\w-]+": )/).slice(1);
    members[name] = Object.fromEntries(
      lines.map((line) => {
        const [, member = '', type = ''] = /^ +"?([\w-]+)"?: (.+)$/s.exec(line) ?? [];
        return [member, type.replace(/[\s()]|,(?=\s*(\]|\}|$))|\}.*/gs, '')];
      }),
    );
  }
  return members;
}

// Where it fails: `datamodel-codegen` in clients/python, see its README.
test('api_generated.py has every member of openapi.json with its type, and no other', () => {
  const description = read('typescript/openapi.json');
  const module = read('python/src/bookkeeping_ledger/api_generated.py');
  expect(written(module)).toEqual(described(description));
  expect(Object.keys(written(module)).length).toBeGreaterThan(12);
  for (const [before, after] of [
    ['"amountPence": {', '"amount": {'],
    ['"daily_cap"', '"day_cap"'],
    ['"minimum": 0', '"type": "string"'],
  ] as const) {
    expect(described(description.replaceAll(before, after))).not.toEqual(written(module));
  }
});
