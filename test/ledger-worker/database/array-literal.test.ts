/** Literals of arrays and composite types: Postgres reads back what was written, whatever characters a text has. */
import { expect, test } from 'bun:test';
import {
  arrayText,
  bytesField,
  rowElement,
  textField,
} from '../../../ledger-worker/database/array-literal.ts';
import { sql } from '../../fixtures/system.ts';

const TEXTS = [
  // One character each.
  ...' "\\,(){}\'\n\t\u0001',
  ...['', 'plain', 'null', 'NULL', '""', '\\\\', '\\"', '"\\', '{}', '()', 'a,b', '(a,"b")', '{"(1,2)"}'],
  ...['\\N', '\\x00', '$&', '\r\n', 'é€😀', '"\\'.repeat(90)],
];

test('a text in an element of a composite type is read as it was, and null as null', async () => {
  const literal = arrayText([...TEXTS, null, undefined], (text) =>
    rowElement(['', '', '', 7, textField(text), textField('"\\'), textField(text)]),
  );
  const rows = await sql<{ amount: number; category: string; description: string; ref: string }[]>`
    select amount_pence as amount, category, description, external_ref as ref from unnest(${literal}::ledger.new_entry[])`;
  expect<unknown>([...rows]).toEqual(
    [...TEXTS, null, null].map((text) => ({ amount: 7, category: text, description: '"\\', ref: text })),
  );
});

test('bytes in an element of a composite type are read as they were, and none as null', async () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const literal = arrayText([all, Buffer.alloc(0), undefined], (bytes) =>
    rowElement(['', bytesField(bytes), '', '', '', '', '', '']),
  );
  const rows = await sql<{ hex: string | null }[]>`
    select encode(key_hash, 'hex') as hex from unnest(${literal}::ledger.new_write[])`;
  expect(rows.map(({ hex }) => hex)).toEqual([all.toString('hex'), '', null]);
});
