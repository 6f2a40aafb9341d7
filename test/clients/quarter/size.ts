/**
 * Prints how long 20,000 rows take with 200 rules: to read and plan them, and to plan them again.
 *
 *     bun test/clients/quarter/size.ts [ROWS] [RULES]
 */
import { deepStrictEqual } from 'node:assert';
import { statementReader } from '../../../clients/typescript/import/index.ts';
import { CATEGORIES } from '../../../proto/vocabulary.ts';
import { textOf } from './bank-files.ts';
import { SOURCES } from './landlord.ts';
import { manyRows } from './many-rows.ts';

const [rowCount = 20_000, ruleCount = 200] = process.argv.slice(2).map(Number);
const { payments, rules, file } = manyRows(rowCount, ruleCount);
const bytes = new Uint8Array(Buffer.from(textOf(file), file.encoding));
const sources = SOURCES.map(({ name, type }) => {
  const { income, expense } = CATEGORIES[type];
  return { id: name, name, type, categories: { income: [...income], expense: [...expense] } };
});

async function measured<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  console.log(`${what}: ${(performance.now() - start).toFixed(0)} ms`);
  return result;
}

const read = statementReader(bytes);
const options = { fileName: file.name, sources, rules };
await measured('read and plan', () => read(options));
const { entries, invalid } = await measured('the same rules again', () => read(options));
await measured('other rules', () =>
  read({ ...options, rules: `description contains "X" -> leave out\n${rules}` }),
);

deepStrictEqual(invalid, []);
const planned = entries.map(({ source, entry: { type, category, amountPence } }) =>
  [source?.name, type, category ?? null, amountPence].join(' '),
);
const expected = payments.flatMap(({ entries }) =>
  entries.map(({ source, type, category, pence }) => [source, type, category, pence].join(' ')),
);
deepStrictEqual(planned.sort(), expected.sort());
console.log(`${rowCount} rows, ${ruleCount} rules, ${planned.length} entries as in the model`);
