/**
 * Right tables of every layout, and what happens to people's files: what is read is right, and the rest is listed or the file refused.
 *
 *   READER_SEED=7 READER_FILES=50000 bun test --path-ignore-patterns none test/clients/typescript/import/right-or-refused
 */
import { expect, test } from 'bun:test';
import {
  ImportError,
  type ImportResult,
  readStatement,
} from '../../../../../clients/typescript/import/index.ts';
import { random } from '../../../../faults/random.ts';
import { LAYOUTS, type ModelFile, type Payment, rightFile } from './model.ts';
import { TABLE_MUTATIONS } from './table-mutations.ts';
import { bytesOf } from './write.ts';

const SEED = Number(process.env.READER_SEED ?? 1);
const FILES = Number(process.env.READER_FILES ?? 1_500);
const WRONG_SHOWN = 5;

const keyOf = ({ date, pence, description }: Payment) => `${date} ${pence} ${description}`;

/** What is wrong with the outcome, if anything is. */
function wrongIn(file: ModelFile, { entries, invalid, skipped }: ImportResult): string | undefined {
  const left = new Map<string, number>();
  const count = (key: string, by: number) => left.set(key, (left.get(key) ?? 0) + by);
  const allowed = file.rows.flatMap(({ payment }) => payment ?? []);
  for (const payment of [...allowed, ...file.optional]) count(keyOf(payment), 1);
  let read = 0;
  const optional = new Set(file.optional.map(keyOf));
  for (const { row, entry } of entries) {
    const { date, type, amountPence, description = '' } = entry;
    const pence = type === 'income' ? amountPence : -amountPence;
    const key = description.includes('\ufffd')
      ? ([...left.keys()].find((each) => each.startsWith(`${date} ${pence} `)) ?? '')
      : keyOf({ date, pence, description });
    if ((left.get(key) ?? 0) < 1) return `row ${row} is ${key || keyOf({ date, pence, description })}`;
    count(key, -1);
    if (!optional.has(key)) read++;
  }
  // A payment of the model is no repetition of another one.
  const skippedRows = skipped.filter(({ reason }) => !reason.startsWith('It repeats row'));
  const listed = new Set([...invalid, ...skippedRows].map(({ row }) => row)).size;
  const missing = allowed.filter((payment) => !optional.has(keyOf(payment))).length - read;
  return missing > listed
    ? `${missing} payments are neither read nor listed (${listed} rows are)`
    : undefined;
}

async function tryOut(seed: number) {
  const numbers = random(seed);
  const layout = numbers.pick(Object.keys(LAYOUTS));
  const file = rightFile(layout, numbers);
  const applied: string[] = [];
  for (let count = numbers.int(0, 3); count > 0; count--) {
    const mutation = numbers.pick(
      TABLE_MUTATIONS.filter(({ name, fits }) => !applied.includes(name) && fits(file)),
    );
    if (applied.length > 0 && !mutation.fits(file)) continue;
    mutation.apply(file, numbers);
    applied.push(mutation.name);
  }
  const told = `seed ${seed}, ${layout}: ${applied.join(', ') || 'as it is'}`;
  try {
    const result = await readStatement(bytesOf(file), file.options);
    const wrong = wrongIn(file, result);
    return { applied, wrong: wrong && `${told}: ${wrong}`, told, result };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return { applied, told, refused: error.message };
  }
}

test(`of ${FILES} files from seed ${SEED} on, each is read rightly or refused`, async () => {
  const wrong: string[] = [];
  const refused: string[] = [];
  let unchanged = 0;
  for (let seed = SEED; seed < SEED + FILES; seed++) {
    const outcome = await tryOut(seed);
    if (outcome.wrong !== undefined) wrong.push(outcome.wrong);
    if (outcome.applied.length > 0) continue;
    unchanged++;
    // A reader that refuses everything is no reader. Few files are asked about: rows add up by chance, or few of them have a minus.
    if (outcome.refused !== undefined || (outcome.result?.invalid.length ?? 0) > 0)
      refused.push(outcome.told);
  }
  expect(unchanged).toBeGreaterThan(FILES / 10);
  expect(refused.length, refused.join('\n')).toBeLessThan(unchanged / 10);
  expect(wrong.slice(0, WRONG_SHOWN)).toEqual([]);
}, 600_000);
